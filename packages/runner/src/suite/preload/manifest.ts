/** What a preload serves. */
export interface Manifest {
  /** The JavaScript of TypeScript files, by URL. */
  readonly files: Readonly<Record<string, StrippedFile>>;
  /** The URLs of files by the URLs that imports name, where they differ. */
  readonly locations: Readonly<Record<string, string>>;
  /** The URL of `@bench-cli/core`; missing until a process of the script has reported it. */
  readonly entry?: string | undefined;
  /** For each package of the subject, the URL of a file that is to import it in place of the importing file. */
  readonly imports?: Readonly<Record<string, string>> | undefined;
}

export interface StrippedFile {
  readonly format: 'module' | 'commonjs';
  /** JavaScript with every token at its position in the TypeScript. */
  readonly source: string;
}

/** The variable with the path of the manifest, a JSON file. */
export const manifestVariable = 'BENCH_CLI_STRIPPED';
