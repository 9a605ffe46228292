import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { data, Evaluator, Lexer, Parser } from '@actions/expressions';
import { truthy } from '@actions/expressions/result';
import { execa } from 'execa';
import { parse } from 'yaml';
import { z } from 'zod';
import { root } from '../../../test/support/command.ts';

const text = z.union([z.string(), z.boolean(), z.number()]).transform(String);
const texts = z.record(z.string(), text).default({});

const stepsSchema = z.array(
  z.object({
    name: z.string().optional(),
    id: z.string().optional(),
    if: z.string().optional(),
    uses: z.string().optional(),
    shell: z.literal('bash').optional(),
    with: texts,
    env: texts,
    run: z.string().optional(),
    'working-directory': z.string().optional(),
  }),
);

const actionSchema = z.object({
  inputs: z.record(z.string(), z.object({ default: text.optional() })),
  runs: z.object({ using: z.literal('composite'), steps: stepsSchema }),
});

const workflowSchema = z.object({
  jobs: z.record(
    z.string(),
    z.object({
      if: z.string().optional(),
      outputs: texts,
      env: texts,
      defaults: z.object({ run: z.object({ 'working-directory': z.string() }) }).optional(),
      steps: stepsSchema,
    }),
  ),
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
  /** The environment of all steps. */
  readonly env: Readonly<Record<string, string>>;
  /** The contexts of expressions, such as `github`. */
  readonly contexts: Readonly<Record<string, unknown>>;
}

export interface JobResult {
  /** The step that failed first; undefined if all succeeded. */
  readonly failed: string | undefined;
  /** The steps that ran; none if the job was skipped. */
  readonly ran: readonly string[];
  /** What the steps wrote to their standard outputs and errors. */
  readonly output: string;
  readonly summary: string;
  readonly outputs: Readonly<Record<string, string>>;
}

/** Runs a job of a workflow as GitHub does: its `run` steps in bash, and our own action. Other actions are skipped. */
export async function runJob(path: string, name: string, { contexts, ...job }: Job): Promise<JobResult> {
  const definition = workflowSchema.parse(parse(readFileSync(path, 'utf8'))).jobs[name];
  if (definition === undefined) throw new Error(`no job ${name}`);
  const none = { failed: undefined, ran: [], output: '', summary: '', outputs: {} };
  if (definition.if !== undefined && !truthy(evaluated(definition.if, contexts))) return none;
  const env = { ...job.env, ...filled(definition.env, contexts) };
  const place = definition.defaults?.run['working-directory'];
  const steps = definition.steps.map((step) => ({ 'working-directory': place, ...step }));
  return runSteps(steps, { ...job, env, contexts }, definition.outputs);
}

/** Runs the steps of a composite action as GitHub does. */
export function runAction(
  path: string,
  { contexts, ...job }: Job,
  given: Readonly<Record<string, string>>,
): Promise<JobResult> {
  const action = readAction(path);
  const defaults = Object.entries(action.inputs).map(([name, input]) => [name, input.default ?? '']);
  const inputs = { ...filled(Object.fromEntries(defaults), contexts), ...given };
  return runSteps(action.runs.steps, { ...job, contexts: { ...contexts, inputs } });
}

async function runSteps(
  list: z.infer<typeof stepsSchema>,
  { directory, env, contexts }: Job,
  outputTexts: Readonly<Record<string, string>> = {},
): Promise<JobResult> {
  const [outputFile, summary] = [`${directory}/outputs`, `${directory}/summary`];
  const steps: Record<string, { readonly outputs: Readonly<Record<string, string>> }> = {};
  const all = { ...contexts, steps };
  const ran: string[] = [];
  let [output, summaries] = ['', ''];
  let failed: string | undefined;
  for (const { name = '', ...step } of list) {
    if (!isDue(step.if, failed !== undefined, all)) continue;
    if (step.uses?.startsWith('OWNER/bench-cli/action@')) {
      const action = join(root, 'action/action.yml');
      const result = await runAction(action, { directory, env, contexts }, filled(step.with, all));
      ran.push(...result.ran);
      output += result.output;
      summaries += result.summary;
      failed ??= result.failed;
    }
    if (step.run === undefined) continue;
    if (step.run.includes('${{')) throw new Error(`${name}: an expression in a script can run other code`);
    for (const file of [outputFile, summary]) writeFileSync(file, '');
    ran.push(name);
    const { exitCode, all: text } = await execa(
      'bash',
      ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run],
      {
        cwd: join(directory, filled({ place: step['working-directory'] ?? '.' }, all)['place'] ?? ''),
        all: true,
        reject: false,
        env: {
          ...env,
          ...filled(step.env, all),
          GITHUB_ACTIONS: 'true',
          GITHUB_WORKSPACE: directory,
          GITHUB_OUTPUT: outputFile,
          GITHUB_STEP_SUMMARY: summary,
        },
      },
    );
    output += `${text}\n`;
    summaries += readFileSync(summary, 'utf8');
    if (exitCode !== 0) failed ??= name;
    if (step.id !== undefined) steps[step.id] = { outputs: outputsIn(readFileSync(outputFile, 'utf8')) };
  }
  return { failed, ran, output, summary: summaries, outputs: filled(outputTexts, all) };
}

/** `name=value`, or `name<<end`, lines of the value, and `end`. */
function outputsIn(file: string): Readonly<Record<string, string>> {
  const entries = file.matchAll(/^(\w+)(?:=(.*)|<<(.+)\n([\s\S]*?)\n\3)$/gm);
  return Object.fromEntries(
    Array.from(entries, ([, name = '', value, , lines = '']) => [name, value ?? lines]),
  );
}

type Contexts = Job['contexts'];

/** The expressions of GitHub, by its own library. */
function evaluated(expression: string, contexts: Contexts, hasFailed = false): data.ExpressionData {
  const functions = Object.entries({ success: !hasFailed, cancelled: false, always: true }).map(
    ([name, value]) => {
      return { name, minArgs: 0, maxArgs: 0, call: () => new data.BooleanData(value) };
    },
  );
  const { tokens } = new Lexer(expression.replace(/^\$\{\{ | \}\}$/g, '')).lex();
  const parsed = new Parser(tokens, Object.keys(contexts), functions).parse();
  const known: data.Dictionary = JSON.parse(JSON.stringify(contexts), data.reviver);
  return new Evaluator(parsed, known, new Map(functions.map((each) => [each.name, each]))).evaluate();
}

function filled(templates: Readonly<Record<string, string>>, contexts: Contexts): Record<string, string> {
  const fill = (template: string) =>
    template.replace(/\$\{\{ (.*?) \}\}/g, (_whole, expression: string) =>
      // The key of a cache is not looked at.
      expression.includes('hashFiles') ? '' : evaluated(expression, contexts).coerceString(),
    );
  return Object.fromEntries(Object.entries(templates).map(([name, template]) => [name, fill(template)]));
}

/** Without a condition of its own, a step runs only if all before it succeeded. */
function isDue(condition = 'success()', hasFailed: boolean, contexts: Contexts): boolean {
  const isAsked = /(cancelled|always)\(\)/.test(condition);
  return (isAsked || !hasFailed) && truthy(evaluated(condition, contexts, hasFailed));
}
