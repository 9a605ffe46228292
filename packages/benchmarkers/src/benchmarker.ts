import type { LoadOptions, LoadResult, Protocol } from '@bench-cli/core';
import type { ToolOption } from './load-request.ts';
import type { Habit, NoAnswer, TimedAnswer } from './server-answer.ts';

/** A load tool behind an interface that is the same for all: it loads an HTTP server and reports a rate. */
export interface Benchmarker {
  readonly name: string;
  /** The first is the default. */
  readonly protocols: readonly [Protocol, ...Protocol[]];
  /** The options that it supports besides the common ones. */
  readonly supports: readonly ToolOption[];
  /** If true, it is used only when its name is given. */
  readonly byNameOnly: boolean;
  /**
   * If true, each connection always has a pending request, or `maxConcurrentStreams` of them, unless there is
   * an `arrivalRate`. The tool drops pending requests at its end, so requests beside the load must find
   * servers that stall. Default false.
   */
  readonly closedLoop?: boolean | undefined;
  /** Right habits of servers that the tool counts as failures, or miscounts, by protocol. Default: none. */
  readonly cannotLoad?: Readonly<Partial<Record<Protocol, readonly Habit[]>>> | undefined;
  /** Looks for the load tool. It never throws. */
  available(): Promise<Availability>;
  /**
   * Loads a server. When the promise settles, the load tool has ended.
   * @throws LoadError if there is no rate; the reason of `signal` if that aborts
   */
  run(options: LoadOptions, context?: RunContext): Promise<LoadResult>;
}

export interface RunContext {
  readonly signal?: AbortSignal | undefined;
  /** The answer to the request of the load, if it has been sent once. */
  readonly first?: TimedAnswer | NoAnswer | undefined;
}

/** The loads of a search, in their order. */
export type RatePoints = NonNullable<LoadResult['points']>;

export interface SearchContext extends RunContext {
  /** Called before each load of a search, with its rate and the loads before. */
  readonly searching?: (rate: number, points: RatePoints) => void;
}

export type Availability =
  | {
      readonly available: true;
      /** The path of the program, and the arguments that precede all others. */
      readonly command: readonly [string, ...string[]];
      readonly version: string;
    }
  | {
      readonly available: false;
      readonly reason: 'missing' | 'not executable' | 'too old' | 'broken';
      /** What is wrong, and what to do. */
      readonly message: string;
    };
