import { argumentsOf } from '@bench-cli/results';
import { type Calibration, calibrate, createRequest, type Trial } from '@bench-cli/runner';
import { counted } from '../analysis/recording-text.ts';
import { percentWord } from '../options.ts';
import type { Terminal } from '../terminal.ts';
import { Interruption, interruptionSignal } from './interruption.ts';
import { StepLine } from './step-line.ts';

export interface CalibrateOptions {
  readonly suite?: string;
  readonly set?: string[];
  readonly allowNewValues?: boolean;
  readonly runtime?: string;
  readonly parameter: string;
  /** A fraction. */
  readonly variation: number;
  readonly runs: number;
  /** Milliseconds. */
  readonly longestRun: number;
}

/**
 * Calibrates a benchmark and shows what was found.
 * @returns the exit code: 1 if a configuration failed with the highest count that was tried, or that of an interruption
 */
export async function showCalibration(
  file: string,
  { suite, set, allowNewValues, runtime, parameter, variation, runs, longestRun }: CalibrateOptions,
  terminal: Terminal,
): Promise<number> {
  const { request } = await createRequest(
    'run',
    { node: { runtime } },
    { items: [file], suite, set, allowNewValues, runs: 1 },
  );
  const events = calibrate(request, {
    parameter,
    variation,
    runs,
    longestRunMs: longestRun,
    signal: interruptionSignal(),
  });
  try {
    using step = new StepLine(terminal);
    for await (const event of events) {
      if (event.type === 'calibrated') return show(event.calibration, parameter, variation, terminal);
      step.show(trialLine(event.trial));
    }
  } catch (error) {
    if (!(error instanceof Interruption)) throw error;
    return error.exitCode;
  }
  return 1;
}

function show(
  { count, trials, runs, roundMs }: Calibration,
  parameter: string,
  variation: number,
  terminal: Terminal,
): 0 | 1 {
  for (const trial of trials) terminal.result(`${trialLine(trial)}\n`);
  const unsteady = trials.filter(({ steady }) => !steady);
  const failures = unsteady.flatMap(({ failure }) => failure ?? []);
  for (const { message, output } of failures) terminal.notice(`failed: ${message}\n${output}`);
  if (unsteady.length > failures.length) {
    terminal.notice(
      `warning: ${unsteady.length - failures.length} of ${trials.length} configurations vary by ${percentWord(variation)} or more with every count: raise --variation or --longest-run, or find what disturbs the machine`,
    );
  }
  const code = failures.length > 0 ? 1 : 0;
  if (count === undefined) return code;
  const minutes = (roundMs * 2 * comparedRuns) / 60_000;
  terminal.result(
    `\n${argumentsOf({ [parameter]: count })} (found with ${runs} runs)\n` +
      `A comparison of ${counted(trials.length, 'configuration')} with ${comparedRuns} runs each takes about ${minutes.toFixed(1)} minutes.\n`,
  );
  return code;
}

/** The default of `compare`. */
const comparedRuns = 30;

function trialLine({ configuration, runs, variation, steady, failure }: Trial): string {
  const found = failure ? 'failed' : `varies by ${((variation ?? 0) * 100).toFixed(1)} %`;
  return `${argumentsOf(configuration).join(' ')}: ${found} over ${counted(runs, 'run')}${steady ? '' : ', not steady'}`;
}
