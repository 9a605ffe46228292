import { benchmark, temporarySuite } from '../../test/support/suite.ts';
import { command, expectNoProcess } from './command.ts';
import type { Random } from './random.ts';
import { Tally } from './tally.ts';

const bodies = [
  `throw new Error('x');`,
  'throw null;',
  'process.exit(0);',
  'process.exit(7);',
  `process.kill(process.pid, 'SIGKILL');`,
  'process.abort();',
  'for (;;);',
  'await new Promise(() => setTimeout(() => {}, 1e6));',
  'await new Promise(() => {});',
  `for (let at = 0; at < 1e5; at++) process.stdout.write('a line of output\\n'.repeat(10)); throw new Error('x');`,
  `writeSync(3, 'garbage\\n'); throw new Error('x');`,
  `writeSync(3, Buffer.alloc(1 << 20, 0xff)); throw new Error('x');`,
  `writeSync(3, '{"type":"report","rate":"many"}\\n');`,
  'bench.report(NaN, 1n);',
  'bench.report(-1, 1n);',
  'bench.report(Infinity, 1n);',
  'bench.end(1);',
  'bench.start(); bench.start();',
  'bench.start(); bench.end(0);',
  'closeSync(3);',
  `process.on('SIGTERM', () => {}); for (;;);`,
  `spawn('sh', ['-c', 'sleep 1e6; :', conf.mark], { detached: true, stdio: 'ignore' }).unref(); throw new Error('x');`,
  `spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)', conf.mark], { detached: true, stdio: 'ignore', env: {} }).unref(); for (;;);`,
  `process.stderr.write('\\x1b]0;title\\x07\\x1b[2J'); throw new Error('\\x1b[2J');`,
  'Promise.reject(new Error("x")); await new Promise(() => setTimeout(() => {}, 1e6));',
] as const;

/** Runs benchmarks that misbehave beside one that does not. Each fails with code 1, and the good one has its rate. */
export async function misbehavingBenchmarks(count: number, random: Random): Promise<readonly Tally[]> {
  const tally = new Tally('misbehaving benchmarks');
  while (tally.attempts < count) {
    const mark = `torture-bench-${process.pid}-${tally.attempts}`;
    const body = tally.attempts < bodies.length ? (bodies[tally.attempts] ?? bodies[0]) : random.pick(bodies);
    tally.attempts++;
    using suite = temporarySuite({
      'g/a.js': benchmark(`{ mark: ['${mark}'] }`, body, {
        head: `import { spawn } from 'node:child_process'; import { closeSync, writeSync } from 'node:fs';`,
      }),
      'g/good.js': benchmark('{ n: [1] }', 'bench.report(42, 1n);'),
    });
    const args = ['run', '--format', 'csv', '--timeout', '3s', '--suite', suite.directory, 'g'];
    const { exitCode, stdout, stderr } = await command(tally, args);
    if (exitCode !== 1) tally.add('wrong exit codes', `${exitCode} for ${body}: ${stderr}`);
    if (!/good\.js.*42/.test(stdout)) tally.add('lost', `the good benchmark beside ${body}: ${stderr}`);
    if (stdout.includes('g/a.js')) tally.add('wrong figures', `${body}: ${stdout}`);
    await expectNoProcess(tally, mark);
  }
  return [tally];
}
