/** The files that a preload serves in place of TypeScript. */
export interface Manifest {
  /** Their JavaScript, by URL. */
  readonly files: Readonly<Record<string, StrippedFile>>;
  /** The URL of `@bench-cli/core`; missing until a process of the script has reported it. */
  readonly entry?: string | undefined;
}

export interface StrippedFile {
  readonly format: 'module' | 'commonjs';
  /** JavaScript with every token at its position in the TypeScript. */
  readonly source: string;
}

/** The variable with the path of the manifest, a JSON file. */
export const manifestVariable = 'BENCH_CLI_STRIPPED';
