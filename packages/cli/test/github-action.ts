import { readFileSync, writeFileSync } from 'node:fs';
import { execa } from 'execa';
import { parse } from 'yaml';
import { z } from 'zod';

const text = z.union([z.string(), z.boolean(), z.number()]).transform(String);

const actionSchema = z.object({
  inputs: z.record(z.string(), z.object({ default: text.optional() })),
  runs: z.object({
    using: z.literal('composite'),
    steps: z.array(
      z.object({
        name: z.string(),
        id: z.string().optional(),
        if: z.string().optional(),
        uses: z.string().optional(),
        shell: z.literal('bash').optional(),
        env: z.record(z.string(), text).default({}),
        run: z.string().optional(),
      }),
    ),
  }),
});

const readAction = (path: string) => actionSchema.parse(parse(readFileSync(path, 'utf8')));

/** The names of the inputs of an action. */
export const inputsOf = (path: string): readonly string[] => Object.keys(readAction(path).inputs);

/** What a step of an action runs in bash. */
export const scriptOf = (path: string, step: string): string =>
  readAction(path).runs.steps.find(({ name }) => name === step)?.run ?? 'false';

/** What GitHub gives to a job. */
export interface Job {
  readonly directory: string;
  readonly inputs: Readonly<Record<string, string>>;
  /** Values of expressions such as `github.run_id`. */
  readonly context: Readonly<Record<string, string>>;
  /** The environment of all steps. */
  readonly env: Readonly<Record<string, string>>;
}

export interface JobResult {
  /** The step that failed first; undefined if all succeeded. */
  readonly failed: string | undefined;
  /** The steps that ran. */
  readonly ran: readonly string[];
  /** What the steps wrote to their standard outputs and errors. */
  readonly output: string;
  readonly summary: string;
}

/** Runs the `run` steps of a composite action in bash as GitHub does. Steps that use other actions are skipped. */
export async function runAction(path: string, { directory, inputs, context, env }: Job): Promise<JobResult> {
  const action = readAction(path);
  const values = new Map(Object.entries(context));
  const fill = (template: string) =>
    template.replace(/\$\{\{ (.*?) \}\}/g, (_whole, expression: string) => {
      const value = values.get(expression);
      if (value === undefined) throw new Error(`unknown expression ${expression}`);
      return value;
    });
  for (const [name, { default: fallback = '' }] of Object.entries(action.inputs)) {
    values.set(`inputs.${name}`, inputs[name] ?? fill(fallback));
  }
  const [outputs, summary] = [`${directory}/outputs`, `${directory}/summary`];
  writeFileSync(summary, '');
  const ran: string[] = [];
  let output = '';
  let failed: string | undefined;
  for (const step of action.runs.steps) {
    if (step.run === undefined || !isDue(step.if, failed !== undefined, values)) continue;
    if (step.run.includes('${{'))
      throw new Error(`${step.name}: an expression in a script can run other code`);
    writeFileSync(outputs, '');
    ran.push(step.name);
    const { exitCode, all } = await execa(
      'bash',
      ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run],
      {
        cwd: directory,
        all: true,
        reject: false,
        env: {
          ...env,
          ...Object.fromEntries(Object.entries(step.env).map(([name, value]) => [name, fill(value)])),
          GITHUB_OUTPUT: outputs,
          GITHUB_STEP_SUMMARY: summary,
        },
      },
    );
    output += `${all}\n`;
    if (exitCode !== 0) failed ??= step.name;
    for (const line of readFileSync(outputs, 'utf8').split('\n')) {
      const at = line.indexOf('=');
      if (at > 0) values.set(`steps.${step.id}.outputs.${line.slice(0, at)}`, line.slice(at + 1));
    }
  }
  return { failed, ran, output, summary: readFileSync(summary, 'utf8') };
}

/** Without a condition of its own, a step runs only if all before it succeeded. */
function isDue(
  condition: string | undefined,
  hasFailed: boolean,
  values: ReadonlyMap<string, string>,
): boolean {
  if (condition === undefined) return !hasFailed;
  const terms = condition.replace(/^\$\{\{ | \}\}$/g, '').split(' && ');
  return terms.every((term) => {
    if (term === '!cancelled()') return true;
    const [, name = ''] = /^(\S+) != ''$/.exec(term) ?? [];
    const value = values.get(name);
    if (value === undefined) throw new Error(`unknown condition ${term}`);
    return value !== '';
  });
}
