import type { LoadOptions, LoadResult, Protocol } from '@bench-cli/core';
import type { ToolOption } from './load-options.ts';

/** A tool that loads an HTTP server and reports a rate. */
export interface Benchmarker {
  readonly name: string;
  /** The first is what it speaks when nothing else is asked for. */
  readonly protocols: readonly [Protocol, ...Protocol[]];
  /** The options beyond the common ones that it honours. */
  readonly supports: readonly ToolOption[];
  /** Never chosen unless its name is given. */
  readonly byNameOnly: boolean;
  /** Whether and where the tool is there. It never throws. */
  available(): Promise<Availability>;
  /**
   * Loads a server.
   * @throws LoadError for whatever means that there is no rate; the reason of `signal` when that aborts. Either way the
   * tool has ended by then.
   */
  run(options: LoadOptions, context?: RunContext): Promise<LoadResult>;
}

export interface RunContext {
  readonly signal?: AbortSignal | undefined;
}

export type Availability =
  | {
      readonly available: true;
      /** The program by its path, and arguments that come before all others. */
      readonly command: readonly [string, ...string[]];
      readonly version: string;
    }
  | {
      readonly available: false;
      readonly reason: 'missing' | 'not executable' | 'too old' | 'broken';
      /** What is wrong, and what to do about it. */
      readonly message: string;
    };
