import { readFileSync } from 'node:fs';
import { UsageError } from '@bench-cli/results';
import type { Terminal } from '../terminal.ts';
import { AccessDenied, type CommentHost } from './comment-host.ts';
import { githubComments } from './github.ts';
import { gitlabComments } from './gitlab.ts';

/**
 * Writes a file as a comment on the pull request of this job, in place of the comment that an earlier job with the same id wrote.
 * Without the permission, as for a pull request of a fork, it only says so.
 *
 * @throws UsageError outside of a job of a pull request, or if the host fails
 */
export async function writeComment(
  file: string,
  id: string,
  terminal: Terminal,
  env: NodeJS.ProcessEnv = process.env,
): Promise<void> {
  const host = githubComments(env) ?? gitlabComments(env);
  if (host === undefined) {
    throw new UsageError(
      'ERR_BENCH_COMMENT',
      'this is no job of a pull request on GitHub Actions, or of a merge request on GitLab CI: run bench-cli comment in such a job',
    );
  }
  const beginning = `<!-- bench-cli: ${id.replaceAll(/[^\w.-]/g, '_')} -->\n`;
  const body = limited(`${beginning}${readFileSync(file, 'utf8')}`, host);
  try {
    const comment = await host.find(beginning);
    if (comment === undefined) await host.create(body);
    else await host.update(comment, body);
    terminal.notice(`${host.name}: ${comment === undefined ? 'created' : 'updated'} the comment ${id}`);
  } catch (error) {
    if (!(error instanceof AccessDenied)) throw error;
    terminal.notice(
      `warning: ${host.name}: no comment, because the token is missing or may not write comments, as in pull requests of forks`,
    );
  }
}

/** Drops the end of a text that is too long for a comment, from the last line that fits. */
function limited(text: string, { limit }: CommentHost): string {
  if (text.length <= limit) return text;
  const note = '\n\nThe rest is too long for a comment: see the summary or the files of the job.\n';
  const start = text.slice(0, limit - note.length);
  return `${start.slice(0, start.lastIndexOf('\n'))}${note}`;
}
