import type { AnyConfiguration } from '@bench-cli/core';
import { nowNs, probe } from '@bench-cli/core/other-tools';
import {
  checkInteger,
  checkObject,
  invalidState,
  invalidType,
  invalidValue,
  outOfRange,
} from './contract-error.ts';
import type { BenchDeclaration } from './declaration.ts';

export interface SampleMeasurement {
  readonly operations: number;
  readonly duration_ns: bigint;
  /** Operations per second. */
  readonly rate: number;
  readonly detail?: unknown;
}

/** The argument of the function of a benchmark: one for each sample. */
export class SampleContext {
  readonly name: string;
  readonly params: AnyConfiguration;
  readonly signal: AbortSignal;
  readonly index: number;
  readonly phase: 'warmup' | 'measurement';
  readonly #isWarmup: boolean;
  #startedAtNs: bigint | undefined;
  #measurement: SampleMeasurement | undefined;
  #recorded = false;
  #ended = false;
  #done = false;
  #closed = false;
  /** The first violation of the contract, which the function may have caught. */
  #violation: Error | undefined;

  constructor({ name, params }: BenchDeclaration, signal: AbortSignal, isWarmup: boolean, index: number) {
    this.name = name;
    this.params = params;
    this.signal = signal;
    this.index = index;
    this.phase = isWarmup ? 'warmup' : 'measurement';
    this.#isWarmup = isWarmup;
  }

  /** No method can be called when the function has ended. */
  static close(context: SampleContext): void {
    context.#closed = true;
  }

  /** Its measurement, whether `start()` and `end()` made it, and whether it was the last sample. */
  static result(context: SampleContext) {
    if (context.#violation) {
      throw invalidState(`the benchmark function ignored an error: ${context.#violation.message}`);
    }
    if (context.#measurement === undefined) {
      throw invalidState(
        `the benchmark function ended without calling ${context.#startedAtNs === undefined ? 'start() or record()' : 'end()'}`,
      );
    }
    return { measurement: context.#measurement, isClocked: !context.#recorded, done: context.#done };
  }

  start(): void {
    this.#open('start');
    this.#require(!this.#recorded, 'start() was called after record(): use one of them');
    this.#require(this.#startedAtNs === undefined, 'start() was called twice in one sample');
    if (!this.#isWarmup) probe?.begin();
    this.#startedAtNs = nowNs();
  }

  end(operations: unknown, options: unknown = {}): SampleMeasurement {
    const endedAtNs = nowNs();
    this.#open('end');
    this.#require(!this.#recorded, 'end() was called after record(): use one of them');
    this.#require(!this.#ended, 'end() was called twice in one sample');
    this.#ended = true;
    const startedAtNs = this.#startedAtNs;
    return this.#take(() => {
      if (startedAtNs === undefined) throw invalidState('end() was called without start()');
      const { detail } = checkObject(options, 'options');
      const count = checkInteger(operations, 'operations', 1, Number.MAX_SAFE_INTEGER);
      if (!this.#isWarmup) probe?.end(count);
      if (endedAtNs === startedAtNs) {
        throw invalidState('the clock is too coarse: start() and end() read the same time');
      }
      return measured(count, endedAtNs - startedAtNs, detail);
    });
  }

  record(sample: unknown): SampleMeasurement {
    this.#open('record');
    this.#require(!this.#recorded, 'record() was called twice in one sample');
    const isStarted = this.#startedAtNs !== undefined || this.#ended;
    this.#require(!isStarted, 'record() was called after start() or end()');
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
    this.#open('done');
    this.#require(!this.#isWarmup, 'done() was called in a warm-up sample');
    this.#done = true;
  }

  diagnostic(message: unknown, options: unknown = {}): void {
    this.#open('diagnostic');
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

  #open(name: string): void {
    this.#require(!this.#closed, `${name}() was called after the sample had ended`);
  }

  #require(holds: boolean, message: string): void {
    if (!holds) this.#violate(invalidState(message));
  }

  #violate(error: unknown): never {
    this.#violation ??= error instanceof Error ? error : new Error(String(error));
    throw error;
  }

  /** @returns a copy, so that the function cannot change what is measured */
  #take(read: () => SampleMeasurement): SampleMeasurement {
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

/** Samples without a detail are not cloned, which would take time and memory between them. */
function measured(operations: number, duration_ns: bigint, detail: unknown): SampleMeasurement {
  const rate = operations / (Number(duration_ns) / 1e9);
  return { operations, duration_ns, rate, ...(detail !== undefined && { detail: structuredClone(detail) }) };
}
