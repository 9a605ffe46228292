import { execPath } from 'node:process';
import { bin } from '../../test/support/command.ts';
import { temporarySuite } from '../../test/support/suite.ts';
import { type Budget, median, ratios, timeSideBySide } from './measurement.ts';

const runs = 200;

/** Measures the overhead of a run: 200 configurations that do nothing, against 200 bare Node.js processes. */
export async function measureRunOverhead(): Promise<Budget> {
  const noop = `
    import { createBenchmark } from '@bench-cli/core';
    createBenchmark((conf, bench) => { bench.start(); bench.end(1); }, { i: Array.from({ length: ${runs} }, (_, i) => i) });
  `;
  const bare = `
    const { spawn } = await import('node:child_process');
    for (let i = 0; i < ${runs}; i++) {
      await new Promise((end) => spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' }).on('close', end));
    }
  `;
  using suite = temporarySuite({ 'noop/noop.ts': noop });
  const [ours = [], theirs = []] = await timeSideBySide(
    [
      { name: 'bench-cli run', command: execPath, args: [bin, 'run', '--suite', suite.directory, 'noop'] },
      { name: 'node -e 0', command: execPath, args: ['--input-type=module', '-e', bare] },
    ],
    5,
  );
  return {
    name: `bench-cli run of ${runs} no-op configurations / ${runs} x node -e 0`,
    ours: `${(median(ours) / runs).toFixed(1)} ms a run`,
    theirs: `${(median(theirs) / runs).toFixed(1)} ms`,
    ratios: ratios(ours, theirs),
    limit: 1.2,
  };
}
