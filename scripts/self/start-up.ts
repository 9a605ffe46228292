import { execPath } from 'node:process';
import { bin } from '../../test/support/command.ts';
import { type Budget, median, ratios, timeSideBySide } from './measurement.ts';

const rounds = 40;

/** Measures `bench-cli --help` against a bare start of Node.js. */
export async function measureHelp(): Promise<Budget> {
  const [ours = [], theirs = []] = await timeSideBySide(
    [
      { name: 'bench-cli --help', command: execPath, args: [bin, '--help'] },
      { name: 'node -e 0', command: execPath, args: ['-e', '0'] },
    ],
    rounds,
  );
  return {
    name: 'bench-cli --help / node -e 0',
    ours: `${median(ours).toFixed(1)} ms`,
    theirs: `${median(theirs).toFixed(1)} ms`,
    ratios: [median(ratios(ours, theirs))],
    limit: 2,
  };
}

/** Measures how many milliseconds the import of the core entry adds to a script. */
export async function measureImport(): Promise<Budget> {
  const script = (source: string) => ['--input-type=module', '-e', source];
  const [ours = [], theirs = []] = await timeSideBySide(
    [
      {
        name: 'import',
        command: execPath,
        args: script(`import ${JSON.stringify(import.meta.resolve('@bench-cli/core'))}`),
      },
      { name: 'no import', command: execPath, args: script('') },
    ],
    rounds,
  );
  const differences = ours.map((time, round) => time - (theirs[round] ?? Number.NaN));
  return {
    name: 'import of @bench-cli/core in a script - an empty script, ms',
    ours: `${median(ours).toFixed(1)} ms`,
    theirs: `${median(theirs).toFixed(1)} ms`,
    ratios: [median(differences)],
    limit: 3,
  };
}
