/** What a preload serves in place of TypeScript files: their JavaScript by URL. */
export type Manifest = Readonly<Record<string, StrippedFile>>;

export interface StrippedFile {
  readonly format: 'module' | 'commonjs';
  /** JavaScript in which every token stands where it stood in the TypeScript. */
  readonly source: string;
}

/** The variable that names the manifest, a file of JSON. */
export const manifestVariable = 'BENCH_CLI_STRIPPED';
