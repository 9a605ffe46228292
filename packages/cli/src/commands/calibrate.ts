import { argumentsOf } from '@bench-cli/results';
import type { Calibration, Trial } from '@bench-cli/runner';
import { type Command, InvalidArgumentError } from 'commander';
import { examples, readCount, setOption } from '../options.ts';
import { processTerminal, type Terminal } from '../terminal.ts';

interface CalibrateOptions {
  readonly suite?: string;
  readonly set?: string[];
  readonly runtime?: string;
  readonly parameter: string;
  readonly variation: number;
  readonly runs: number;
  readonly longestRun: number;
}

/** `bench-cli calibrate`: what Node core's calibrate-n.js does. */
export function addCalibrateCommand(program: Command): void {
  program
    .command('calibrate')
    .summary('find the smallest n for which a benchmark gives steady rates')
    .description(
      'Finds the smallest number of operations (1, 2 or 5 times a power of ten) for which the rates of every ' +
        'configuration vary little from run to run, and tells what a comparison would then cost.',
    )
    .argument('<file>', 'the benchmark')
    .option('--parameter <name>', 'the parameter that counts operations', 'n')
    .option('--variation <percent>', 'the coefficient of variation to stay below', readPercent, 5)
    .option(
      '--runs <n>',
      'the most runs of one configuration with one count; fewer if they tell enough',
      readCount,
      15,
    )
    .option('--longest-run <seconds>', 'try no count for which a run would take longer', readSeconds, 1)
    .option('--runtime <path|node@version>', 'the runtime to use (default: the one that runs bench-cli)')
    .option(
      '--suite <dir>',
      'directory that the name of the benchmark is relative to (default: ./benchmarks, ./benchmark, or .)',
    )
    .addOption(setOption())
    .addHelpText(
      'after',
      examples([
        ['calibrate benchmarks/string_decoder/string-decoder.ts', 'the n for all its configurations'],
        [
          'calibrate --variation 2 --set encoding=ascii string_decoder/string-decoder.ts',
          'steadier, for some of them',
        ],
      ]),
    )
    .action(async (file: string, options: CalibrateOptions) => {
      process.exitCode = await calibrateFile(file, options, processTerminal());
    });
}

/** @returns the exit code: 1 when a configuration failed with the highest count that was tried */
async function calibrateFile(file: string, options: CalibrateOptions, terminal: Terminal): Promise<0 | 1> {
  const [{ calibrate, createRequest }, { interruptionSignal }] = await Promise.all([
    import('@bench-cli/runner'),
    import('../session/interruption.ts'),
  ]);
  const { suite, set, runtime, parameter, variation, runs, longestRun } = options;
  const { request } = await createRequest(
    'run',
    { node: { runtime } },
    { items: [file], suite, set, runs: 1 },
  );
  const events = calibrate(request, {
    parameter,
    variation: variation / 100,
    runs,
    longestRunMs: longestRun * 1000,
    signal: interruptionSignal(),
  });
  for await (const event of events) {
    if (event.type === 'trial') {
      terminal.status(trialLine(event.trial));
      continue;
    }
    terminal.status(undefined);
    return showCalibration(event.calibration, options, terminal);
  }
  return 1;
}

function showCalibration(
  { count, trials, runs, roundMs }: Calibration,
  { parameter, variation }: CalibrateOptions,
  terminal: Terminal,
): 0 | 1 {
  for (const trial of trials) terminal.result(`${trialLine(trial)}\n`);
  const unsteady = trials.filter(({ steady }) => !steady);
  const failures = unsteady.flatMap(({ failure }) => failure ?? []);
  for (const { message, output } of failures) terminal.notice(`failed: ${message}\n${output}`);
  if (unsteady.length > failures.length) {
    terminal.notice(
      `warning: ${unsteady.length - failures.length} of ${trials.length} configurations vary by ${variation} % or more, however long they run; allow more with --variation or --longest-run, or see what disturbs the machine`,
    );
  }
  const code = failures.length > 0 ? 1 : 0;
  if (count === undefined) return code;
  const minutes = (roundMs * 2 * comparedRuns) / 60_000;
  terminal.result(
    `\n${parameter}=${count} (found with ${runs} runs)\n` +
      `A comparison of ${trials.length} configuration${trials.length === 1 ? '' : 's'} with ${comparedRuns} runs each takes about ${minutes.toFixed(1)} minutes.\n`,
  );
  return code;
}

/** What `compare` does unless told otherwise. */
const comparedRuns = 30;

function trialLine({ configuration, runs, variation, steady, failure }: Trial): string {
  const found = failure ? 'failed' : `varies by ${((variation ?? 0) * 100).toFixed(1)} %`;
  return `${argumentsOf(configuration).join(' ')}: ${found} over ${runs} run${runs === 1 ? '' : 's'}${steady ? '' : ', not steady'}`;
}

function readPercent(text: string): number {
  const percent = Number(text);
  if (!(percent > 0)) throw new InvalidArgumentError('It takes a percentage above 0.');
  return percent;
}

function readSeconds(text: string): number {
  const seconds = Number(text);
  if (!(seconds > 0)) throw new InvalidArgumentError('It takes seconds, above 0.');
  return seconds;
}
