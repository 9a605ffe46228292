/** A subject as a user asks for it. */
export interface SubjectRequest {
  /**
   * A path, the name of a program on the PATH, or a release: `node@22`, `bun@1`, `deno@2`. Default: the
   * runtime of this process.
   */
  readonly runtime?: string | undefined;
  /** Packages that its processes import in place of those of the project. */
  readonly packages?: readonly PackageRequest[] | undefined;
  /** The tree of files whose code its processes import. Default: the files as they are. */
  readonly source?: SourceRequest | undefined;
  readonly flags?: readonly string[] | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly cwd?: string | undefined;
}

/** A package of the registry. */
export interface PackageRequest {
  readonly name: string;
  /** A version, a range or a tag. */
  readonly range: string;
}

/** A commit of the repository of the working directory, with the path of a package in it, or a directory. */
export type SourceRequest =
  | { readonly type: 'git'; readonly ref: string; readonly subdirectory?: string | undefined }
  | { readonly type: 'directory'; readonly path: string };

/** What prepares the files of a commit. */
export interface SourcePreparation {
  /** A shell command, such as `npm ci && npm run build`. */
  readonly command: string;
  /** Executes the command in a directory. @throws UsageError with the label if the command fails */
  readonly run: (
    label: string,
    directory: string,
    limits: Pick<SubjectOptions, 'env' | 'signal'>,
  ) => Promise<void>;
}

/** How the code of subjects is fetched and prepared. */
export interface SubjectOptions {
  /** The base of relative paths. Default: the working directory of the process. */
  readonly cwd?: string | undefined;
  /** The environment of the processes. Default: that of this process. */
  readonly env?: NodeJS.ProcessEnv | undefined;
  /** Whether packages from the registry may run their install scripts. Default false. */
  readonly installScripts?: boolean | undefined;
  /** Prepares the files of a commit, once. Default: they are used as they are. */
  readonly prepare?: SourcePreparation | undefined;
  /** A directory to keep what is fetched. Default: the cache directory of bench-cli. */
  readonly cache?: string | undefined;
  /** Called before something is fetched, installed or prepared, which can take minutes. */
  readonly onFetch?: ((what: string) => void) | undefined;
  /** Ends the fetching of runtimes and packages. */
  readonly signal?: AbortSignal | undefined;
}
