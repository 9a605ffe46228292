import type { Command } from 'commander';
import { examples } from '../options.ts';
import { processTerminal } from '../terminal.ts';

/** `bench-cli comment`: shows a report on the pull request of a CI job. */
export function addCommentCommand(program: Command): void {
  program
    .command('comment')
    .summary('write a report as a comment on a pull request, from a CI job')
    .description(
      'Writes a file as a comment on the pull request of this job of GitHub Actions, or on the merge request of this job of ' +
        'GitLab CI, and replaces the comment that an earlier job wrote. The token is in GITHUB_TOKEN or GITLAB_TOKEN; ' +
        'without one that may write comments, it only prints a warning.',
    )
    .argument('<file>', 'the comment, in Markdown')
    .option('--id <name>', 'tells the comments of several jobs on one pull request apart', 'benchmarks')
    .addHelpText(
      'after',
      examples([
        [
          'analyze compare --format markdown results.jsonl > comment.md',
          'makes the text, with losses first and the rest folded',
        ],
        ['comment comment.md', 'creates or replaces the comment'],
      ]),
    )
    .action(async (file: string, { id }: { readonly id: string }) => {
      const { writeComment } = await import('../ci/comment.ts');
      await writeComment(file, id, processTerminal());
    });
}
