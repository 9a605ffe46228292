import { counted, shortList, shownIn } from '@bench-cli/results';
import type { SessionRequest } from '@bench-cli/results/recording';
import type { CommandSettings } from '@bench-cli/results/settings';
import { affectedFiles } from '@bench-cli/runner';
import type { Terminal } from '../terminal.ts';

/**
 * Leaves out the benchmark files that the difference of the subjects does not affect, and names them.
 * @returns also whether a benchmark could not be planned, which fails a dry run, as it does the run
 * @param whole the session with all files
 */
export async function onlyAffected(
  whole: SessionRequest,
  compared: SessionRequest,
  { dryRun = false, progress = true }: Pick<CommandSettings<'compare'>, 'dryRun' | 'progress'>,
  { terminal, signal }: { readonly terminal: Terminal; readonly signal: AbortSignal },
): Promise<{ readonly request: SessionRequest; readonly fails: boolean }> {
  const onFile = (name: string) => terminal.status(progress ? `listing what ${name} loads` : undefined);
  const { reasons, unaffected, unloaded, bundled, copied, fails } = await affectedFiles(compared, {
    signal,
    onFile,
    env: terminal.io.env,
    inTrees: whole !== compared,
  });
  terminal.status(undefined);
  if (dryRun) {
    const lines = whole.files.map(({ name }) => {
      const reason = reasons.get(name);
      return reason === undefined
        ? `skip  ${shownIn('name', name)}: loads the same code`
        : `run   ${shownIn('name', name)}: ${reason}`;
    });
    terminal.result(`${lines.join('\n')}\n`);
  }
  if (copied !== undefined) terminal.notice(`warning: ${copied}`);
  if (unaffected.length > 0)
    terminal.notice(
      `--affected leaves out ${unaffected.length} of ${counted(whole.files.length, 'benchmark file')}, which load the same code (${shortList(unaffected)})`,
    );
  if (bundled.length > 0)
    terminal.notice(`changed, and perhaps a part of a build that differs: ${shortList(bundled)}`);
  if (unloaded.length > 0)
    terminal.notice(
      `changed, but loaded as a module by no benchmark: ${shortList(unloaded)}; if a benchmark uses it in another way, leave out --affected`,
    );
  return { request: { ...whole, files: whole.files.filter(({ name }) => reasons.has(name)) }, fails };
}
