/** A file that holds one benchmark. */
export interface BenchmarkFile {
  /** Its path inside its suite, with forward slashes: the name of the benchmark. */
  readonly name: string;
  /** Absolute path. */
  readonly path: string;
}
