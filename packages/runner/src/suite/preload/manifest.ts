/** What a preload serves in place of TypeScript files. */
export interface Manifest {
  /** Their JavaScript, by URL. */
  readonly files: Readonly<Record<string, StrippedFile>>;
  /** What they get for `@bench-cli/core`, a URL; missing until a process of the script has told. */
  readonly entry?: string | undefined;
}

export interface StrippedFile {
  readonly format: 'module' | 'commonjs';
  /** JavaScript in which every token stands where it stood in the TypeScript. */
  readonly source: string;
}

/** The variable that names the manifest, a file of JSON. */
export const manifestVariable = 'BENCH_CLI_STRIPPED';
