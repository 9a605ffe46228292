import { fork } from 'node:child_process';
import { parentListens, send } from './channel.ts';
import { formatHeading, formatResult } from './output.ts';
import type { AnyConfiguration } from './parameters.ts';
import type { Message } from './protocol.ts';

/** A script that was started by itself, with all it needs to run its configurations. */
export interface Standalone {
  readonly name: string;
  readonly configurations: readonly AnyConfiguration[];
  readonly extra: Readonly<Record<string, string>>;
  readonly flags: readonly string[];
  readonly setup: () => Promise<unknown>;
  readonly teardown: () => Promise<unknown>;
}

/**
 * Runs every configuration in a child of its own, one after the other, and prints the results, or forwards them when
 * this process has a parent that listens, as Node core's run.js does. One that fails does not stop the others; the
 * exit code then is 1.
 */
export async function runStandalone(script: Standalone): Promise<void> {
  if (parentListens) send({ type: 'config', name: script.name, queueLength: script.configurations.length });
  await script.setup();
  try {
    for (const configuration of script.configurations) {
      if (!(await runChild(script, configuration))) {
        process.exitCode = 1;
        console.error(`failed: ${formatHeading(script.name, configuration)}`);
      }
    }
  } finally {
    await script.teardown();
  }
}

function runChild(script: Standalone, configuration: AnyConfiguration): Promise<boolean> {
  const values = Object.entries({ ...configuration, ...script.extra }).map(
    ([key, value]) => `${key}=${value}`,
  );
  const test = process.argv.includes('--test') ? { BENCH_CLI_TEST: '' } : {};
  const child = fork(process.argv[1] ?? '', values, {
    env: { ...process.env, ...test, NODE_RUN_BENCHMARK_FN: '' },
    execArgv: [...script.flags, ...process.execArgv],
  });
  const stop = () => child.kill('SIGKILL');
  process.once('exit', stop);
  child.on('message', (message: Message) => {
    if (message.type !== 'report') return;
    if (parentListens) send(message);
    else process.stdout.write(`${formatResult(message)}\n`);
  });
  return new Promise((resolve) => {
    child.on('error', (error) => {
      console.error(`error: ${error.message}`);
      resolve(false);
    });
    child.on('close', (code) => {
      process.off('exit', stop);
      resolve(code === 0);
    });
  });
}
