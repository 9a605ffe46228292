import { probe } from '@bench-cli/core/loader';
import {
  checkInteger,
  checkObject,
  invalidState,
  invalidType,
  invalidValue,
  outOfRange,
} from './contract-error.ts';
import type { Declaration, Params } from './declaration.ts';

export interface Measurement {
  readonly operations: number;
  readonly duration_ns: bigint;
  /** Operations per second. */
  readonly rate: number;
  readonly detail?: unknown;
}

/** What the function of a benchmark gets: one for each sample. */
export class SampleContext {
  readonly name: string;
  readonly params: Params;
  readonly signal: AbortSignal;
  readonly #isWarmup: boolean;
  readonly #index: number;
  #startedAtNs: bigint | undefined;
  #measurement: Measurement | undefined;
  #recorded = false;
  #ended = false;
  #done = false;
  #closed = false;
  /** The first violation of the contract, which the function may have caught. */
  #violation: Error | undefined;

  constructor({ name, params }: Declaration, signal: AbortSignal, isWarmup: boolean, index: number) {
    this.name = name;
    this.params = params;
    this.signal = signal;
    this.#isWarmup = isWarmup;
    this.#index = index;
  }

  /** No method can be called when the function has ended. */
  static close(context: SampleContext): void {
    context.#closed = true;
  }

  static result(context: SampleContext): { readonly measurement: Measurement; readonly done: boolean } {
    if (context.#violation) {
      throw invalidState(`the benchmark function ignored an error: ${context.#violation.message}`);
    }
    if (context.#measurement === undefined) {
      throw invalidState(
        `the benchmark function ended without calling ${context.#startedAtNs === undefined ? 'start() or record()' : 'end()'}`,
      );
    }
    return { measurement: context.#measurement, done: context.#done };
  }

  get index(): number {
    return this.#index;
  }

  get phase(): 'warmup' | 'measurement' {
    return this.#isWarmup ? 'warmup' : 'measurement';
  }

  start(): void {
    this.#require(!this.#closed, 'start() was called after the sample had ended');
    this.#require(!this.#recorded, 'start() was called after record(): use one of them');
    this.#require(this.#startedAtNs === undefined, 'start() was called twice in one sample');
    if (!this.#isWarmup) probe?.begin();
    this.#startedAtNs = process.hrtime.bigint();
  }

  end(operations: unknown, options: unknown = {}): Measurement {
    const endedAtNs = process.hrtime.bigint();
    this.#require(!this.#closed, 'end() was called after the sample had ended');
    this.#require(!this.#recorded, 'end() was called after record(): use one of them');
    this.#require(!this.#ended, 'end() was called twice in one sample');
    this.#ended = true;
    const startedAtNs = this.#startedAtNs;
    if (startedAtNs === undefined) return this.#violate(invalidState('end() was called without start()'));
    return this.#take(() => {
      const { detail } = checkObject(options, 'options');
      const count = checkInteger(operations, 'operations', 1, Number.MAX_SAFE_INTEGER);
      if (!this.#isWarmup) probe?.end(count);
      if (endedAtNs === startedAtNs) {
        throw invalidState('the clock is too coarse: start() and end() read the same time');
      }
      return measured(count, endedAtNs - startedAtNs, detail);
    });
  }

  record(sample: unknown): Measurement {
    this.#require(!this.#closed, 'record() was called after the sample had ended');
    this.#require(!this.#recorded, 'record() was called twice in one sample');
    this.#require(
      this.#startedAtNs === undefined && !this.#ended,
      'record() was called after start() or end()',
    );
    this.#recorded = true;
    return this.#take(() => {
      const { operations, duration_ns, detail } = checkObject(sample, 'sample');
      const count = checkInteger(operations, 'sample.operations', 1, Number.MAX_SAFE_INTEGER);
      if (typeof duration_ns !== 'bigint') throw invalidType('sample.duration_ns', 'a bigint', duration_ns);
      if (duration_ns <= 0n || duration_ns > BigInt(Number.MAX_SAFE_INTEGER)) {
        throw outOfRange('sample.duration_ns', `from 1 to ${Number.MAX_SAFE_INTEGER}`, duration_ns);
      }
      return measured(count, duration_ns, detail);
    });
  }

  done(): void {
    this.#require(!this.#closed, 'done() was called after the sample had ended');
    this.#require(!this.#isWarmup, 'done() was called in a warm-up sample');
    this.#done = true;
  }

  diagnostic(message: unknown, options: unknown = {}): void {
    this.#require(!this.#closed, 'diagnostic() was called after the sample had ended');
    try {
      structuredClone(message);
      const { level = 'info', detail } = checkObject(options, 'options');
      structuredClone(detail);
      if (typeof level !== 'string') throw invalidType('options.level', 'a string', level);
      if (level !== 'info' && level !== 'warning') {
        throw invalidValue('options.level', 'info or warning', level);
      }
    } catch (error) {
      this.#violate(error);
    }
  }

  #require(holds: boolean, message: string): void {
    if (!holds) this.#violate(invalidState(message));
  }

  #violate(error: unknown): never {
    this.#violation ??= error instanceof Error ? error : new Error(String(error));
    throw error;
  }

  #take(read: () => Measurement): Measurement {
    try {
      this.#measurement = read();
    } catch (error) {
      this.#violate(error);
    }
    return this.#measurement.detail === undefined
      ? { ...this.#measurement }
      : structuredClone(this.#measurement);
  }
}

function measured(operations: number, duration_ns: bigint, detail: unknown): Measurement {
  const rate = operations / (Number(duration_ns) / 1e9);
  return {
    operations,
    duration_ns,
    rate,
    ...(detail !== undefined && { detail: structuredClone(detail) }),
  };
}
