import { counted, runConfiguration, shownIn, UsageError, wrapped } from '@bench-cli/results';
import { type CommandSettings, optionOf, settings } from '@bench-cli/results/settings';
import {
  type CheckedCase,
  checkBenchmarks,
  createRequest,
  type FindingKind,
  itemsIn,
} from '@bench-cli/runner';
import type { Terminal } from '../terminal.ts';
import { interruptionSignal } from './interruption.ts';
import { emptyOperationText } from './rate-tables.ts';
import { type ResultOutput, viewSession } from './session-view.ts';
import { singleSubject } from './shown-session.ts';

/**
 * Checks benchmarks and shows what is wrong with them, or which functions they would notice.
 * @returns the exit code: 1 if something is wrong, or if a run failed
 */
export async function showCheck(
  items: readonly string[],
  { functions: hasFunctions, ...options }: CommandSettings<'check'>,
  terminal: Terminal,
): Promise<number> {
  const { subjects, format = 'text', progress, budgetMs, html, ...selection } = options;
  const ofFunctions = { budgetMs, html, format: format === 'markdown' ? format : undefined };
  for (const option of hasFunctions ? [] : (['budgetMs', 'html', 'format'] as const)) {
    if (ofFunctions[option] === undefined || selection.defaulted?.includes(option)) continue;
    const given = `${optionOf(settings[option])}${option === 'format' ? ' markdown' : ''}`;
    const problem = `${given} requires --functions: add it, or leave it out`;
    throw new UsageError('ERR_BENCH_OPTION_CONFLICT', problem, { option });
  }
  const { cwd, env } = terminal.io;
  const signal = interruptionSignal(terminal);
  const { request } = await createRequest('run', singleSubject(subjects, terminal.io), {
    ...{ ...selection, cwd, env },
    items: await itemsIn(items, selection.suite, cwd, signal),
    runs: 1,
    signal,
  });
  if (hasFunctions) {
    const { showFunctions } = await import('./function-output.ts');
    return showFunctions(request, items, options, terminal);
  }
  const checked: CheckedCase[] = [];
  let shown = 0;
  const showBenchmark = () => {
    const fresh = checked.slice(shown);
    const wrong = fresh.find(({ findings }) => findings.length > 0);
    if (format === 'text' && wrong !== undefined)
      terminal.result(`${benchmarkText(wrong.benchmark, fresh, terminal)}\n`);
    shown = checked.length;
  };
  const output: ResultOutput = {
    checked: (event) => checked.push(event.checked),
    'benchmark end': showBenchmark,
    showResult: (_, interruption) => {
      showBenchmark();
      const isNoise = ({ findings }: CheckedCase) => findings.some(({ kind }) => kind === 'noise');
      const noisy = checked.filter(isNoise).length;
      const wrong = checked.filter((each) => each.findings.length > 0 && !isNoise(each)).length;
      const count = counted(checked.length, 'case');
      const ending = interruption === undefined ? '' : `, then ${interruption.message}`;
      if (format === 'json') terminal.json({ checked });
      else
        terminal.result(
          `checked ${count}${ending}: ${wrong === 0 ? 'nothing found' : `something is wrong with ${wrong}`}${noisy === 0 ? '' : `, too noisy to tell for ${noisy}`}\n`,
        );
      return wrong > 0 || undefined;
    },
  };
  const checking = checkBenchmarks(request, { signal, env });
  return viewSession(checking, output, terminal, { progress, failureEnds: 'case' });
}

/** The mistakes of one benchmark: each kind once, with the figures of up to three configurations. */
function benchmarkText(benchmark: string, checked: readonly CheckedCase[], terminal: Terminal): string {
  const found = checked.flatMap(({ configuration, findings }) =>
    findings.map((finding) => ({ ...finding, name: runConfiguration(configuration) })),
  );
  const byKind = Map.groupBy(found, ({ kind }) => kind);
  const kinds = Array.from(byKind, ([kind, findings]) => {
    const { title, advice } = texts[kind];
    const share =
      findings.length === checked.length ? '' : ` (${findings.length} of ${counted(checked.length, 'case')})`;
    const lines = findings
      .slice(0, mostShown)
      .map(({ name, evidence }) => `    ${name === '' ? '' : `${name}: `}${evidence}\n`);
    const rest = findings.length > mostShown ? `    and ${findings.length - mostShown} more\n` : '';
    const indented = wrapped(`    -> ${advice}`, terminal.resultWidth, '       ');
    return `  ${terminal.paint(kind === 'noise' ? 'dim' : 'red', title, 'stdout')}${share}\n${lines.join('')}${rest}${indented}\n`;
  });
  return `${shownIn('name', benchmark)}\n${kinds.join('')}`;
}

const mostShown = 3;

const texts: Readonly<Record<FindingKind, { readonly title: string; readonly advice: string }>> = {
  short: {
    title: 'the measured part is too short for the clock',
    advice: 'raise n until the measured part takes about 25 ms',
  },
  'constant time': {
    title: 'the time does not grow with n',
    advice:
      'the first operations do the work of all, as with a cache: vary the inputs; or the loop does not use n, or ends early: pass to ' +
      'bench.end() how many operations it executes',
  },
  operations: {
    title: 'the reported number of operations does not grow with n, but the time does',
    advice: 'pass the number of operations that were executed to bench.end(), usually bench.end(n)',
  },
  'empty loop': {
    title: 'the compiler removed the body of the loop, or computes its result in advance',
    advice:
      'use the result of each iteration, such as in a sum that is compared or stored after bench.end(), and take inputs that the ' +
      'compiler cannot know, such as elements of an array',
  },
  'empty operation': {
    title: emptyOperationText,
    advice:
      'store the result in a variable outside of the function, and take inputs that the compiler cannot know, such as elements of an ' +
      'array; returning the result is not enough',
  },
  'shared work': {
    title: 'the time per operation falls with n: the first operations do work for the others',
    advice:
      'a cache, a lazy initialisation or warm-up is measured: do it before bench.start(), vary the inputs, or raise n until it does ' +
      'not matter',
  },
  'start-up': {
    title: 'most of the measured part is start-up, and not the code at its final speed',
    advice:
      'raise n, unless users of the code also run it so few times: the first operations are interpreted, ' +
      'and compiled while they run',
  },
  'growing work': {
    title: 'the time per operation rises with n: each operation makes the next ones slower',
    advice:
      'start each operation from the same state: clear what grows, such as a list of listeners or a string',
  },
  'first run': {
    title: 'the first run differs from all later ones',
    advice:
      'a run leaves something behind, such as a file: create the state in setup, and remove it in teardown',
  },
  order: {
    title: 'the result depends on which case runs before',
    advice: 'runs share a state, such as a file: give each case its own',
  },
  'uncounted garbage': {
    title: 'the garbage of the operations is collected after the measured part',
    advice:
      'raise n until garbage collections are in the measured part, because users of the code pay for them',
  },
  noise: { title: 'too noisy to tell', advice: 'check again on a quiet machine, or with a higher n' },
};
