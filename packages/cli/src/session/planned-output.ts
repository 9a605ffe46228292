import { caseName, counted, shortList, shownIn } from '@bench-cli/results';
import type { SessionRequest } from '@bench-cli/results/recording';
import { runSession, type SessionOptions } from '@bench-cli/runner';
import { benchmarkFailureText } from '../analysis/recording-text.ts';
import type { Terminal } from '../terminal.ts';

/** Whole commands are not planned, because planning executes them. */
export async function listConfigurations(
  request: SessionRequest,
  terminal: Terminal,
  options: Pick<SessionOptions, 'env' | 'scripted' | 'signal'>,
): Promise<number> {
  const files = request.files.filter(({ command }) => command === undefined);
  const commands = request.files.filter((file) => !files.includes(file));
  const show = (names: readonly string[]) =>
    terminal.result(names.map((name) => `${shownIn('name', name)}\n`).join(''));
  show(commands.map(({ name }) => name));
  if (files.length === 0) return 0;
  let exitCode = 0;
  for await (const event of runSession({ ...request, files }, { ...options, onlyPlan: true })) {
    if (event.type === 'warning') terminal.notice(`warning: ${event.message}`);
    if (event.type === 'failure') {
      exitCode = 1;
      terminal.failure(benchmarkFailureText(event.record, request.subjects.length > 1));
    }
    if (event.type !== 'plan') continue;
    const { benchmarks } = event.record;
    show(
      benchmarks.flatMap(({ name, configurations }) =>
        configurations.map((configuration) => caseName({ benchmark: name, configuration })),
      ),
    );
    for (const name of new Set(request.settings.set.map((pair) => pair.slice(0, pair.indexOf('='))))) {
      const lacking = benchmarks.filter(
        ({ configurations }) => !configurations.some((each) => Object.hasOwn(each, name)),
      );
      const others = lacking.length > 0 ? `, not in ${shortList(lacking.map((each) => each.name))}` : '';
      terminal.notice(
        `--set ${name}: in ${counted(benchmarks.length - lacking.length, 'benchmark')}${others}`,
      );
    }
  }
  return exitCode;
}
