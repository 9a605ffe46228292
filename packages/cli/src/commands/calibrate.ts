import { type Command, Option } from 'commander';
import {
  examples,
  fileSuiteOption,
  newValuesOption,
  readCount,
  readDuration,
  readPercent,
  runtimeOption,
  setOption,
} from '../options.ts';
import type { CalibrateOptions } from '../session/calibration.ts';
import { processTerminal } from '../terminal.ts';

/** `bench-cli calibrate`: Node core's calibrate-n.js. */
export function addCalibrateCommand(program: Command): void {
  program
    .command('calibrate')
    .summary('find the smallest n that gives steady rates')
    .description(
      'Finds the smallest number of operations (1, 2 or 5 times a power of ten) for which the rates of every ' +
        'configuration vary little between runs, and says how long a comparison would take.',
    )
    .argument('<file>', 'the benchmark')
    .option('--parameter <name>', 'the parameter that counts operations', 'n')
    .addOption(
      new Option('--variation <percent>', 'find a coefficient of variation below this')
        .argParser(readPercent)
        .default(0.05, '5%'),
    )
    .option(
      '--runs <n>',
      'the maximum number of runs per configuration and count; fewer if the result is clear',
      readCount,
      15,
    )
    .addOption(
      new Option('--longest-run <time>', 'skip counts whose runs take longer: seconds, or 90s, 20m, 2h')
        .argParser(readDuration)
        .default(1000, '1s'),
    )
    .addOption(runtimeOption())
    .addOption(fileSuiteOption())
    .addOption(setOption())
    .addOption(newValuesOption())
    .addHelpText(
      'after',
      examples([
        ['calibrate benchmarks/string_decoder/string-decoder.ts', 'one n for all configurations'],
        [
          'calibrate --variation 2% --set encoding=ascii string_decoder/string-decoder.ts',
          'steadier, and only some configurations',
        ],
      ]),
    )
    .action(async (file: string, options: CalibrateOptions) => {
      const { showCalibration } = await import('../session/calibration.ts');
      process.exitCode = await showCalibration(file, options, processTerminal());
    });
}
