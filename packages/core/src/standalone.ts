import { fork } from 'node:child_process';
import { endWithParent, parentListens, send } from './channel.ts';
import type { Expansion } from './expansion.ts';
import { argumentTexts, formatHeading, formatResult } from './output.ts';
import type { AnyConfiguration } from './parameters.ts';
import type { ReportMessage } from './protocol.ts';

/** A script that executes all its configurations itself. */
export interface StandaloneScript extends Expansion {
  readonly name: string;
  /** Flags for the runtime that the script requires. */
  readonly flags: readonly string[];
  readonly setup: (() => Promise<unknown>) | undefined;
  readonly teardown: (() => Promise<unknown>) | undefined;
}

/**
 * Runs every configuration in a separate child process, one after the other. Results are forwarded to the
 * parent, such as Node core's run.js, or printed. A failed configuration does not stop the others, but makes
 * the exit code 1.
 */
export async function runStandalone(script: StandaloneScript): Promise<void> {
  if (parentListens) send({ type: 'config', name: script.name, queueLength: script.configurations.length });
  endWithParent();
  await script.setup?.();
  try {
    for (const configuration of script.configurations) {
      const ending = await runChild(script.flags, { ...configuration, ...script.extra });
      if (ending !== 'exit code 0') {
        process.exitCode = 1;
        console.error(`failed: ${formatHeading(script.name, configuration)} (${ending})`);
      }
    }
  } finally {
    await script.teardown?.();
  }
}

/** Runs one configuration, and returns how its process ended. */
function runChild(flags: readonly string[], values: AnyConfiguration): Promise<string> {
  const test = process.argv.includes('--test') ? { BENCH_CLI_TEST: '' } : {};
  const child = fork(process.argv[1] ?? '', argumentTexts(values), {
    env: { ...process.env, ...test, NODE_RUN_BENCHMARK_FN: '' },
    execArgv: [...flags, ...process.execArgv],
  });
  const stop = () => child.kill('SIGKILL');
  process.once('exit', stop);
  child.on('message', (message: unknown) => {
    if (!isReport(message)) return;
    if (parentListens) send(message);
    else process.stdout.write(`${formatResult(message)}\n`);
  });
  return new Promise<string>((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('close', (code, signal) =>
      resolve(signal === null ? `exit code ${code}` : `killed by ${signal}`),
    );
  }).finally(() => process.off('exit', stop));
}

/** Messages other than results are ignored, because a benchmark may send its own. */
function isReport(message: unknown): message is ReportMessage {
  const { type, conf, rate } = Object(message);
  return type === 'report' && typeof conf === 'object' && conf !== null && typeof rate === 'number';
}
