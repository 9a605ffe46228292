import type { Command } from 'commander';
import { examples } from '../options.ts';
import { processTerminal } from '../terminal.ts';

/** `bench-cli merge`: joins results files of several machines. */
export function addMergeCommand(program: Command): void {
  program
    .command('merge')
    .summary('join results files of several machines')
    .description(
      'Joins results files of run or compare: all shards of a session (--shard), or whole sessions that several ' +
        'machines have measured. They must be of one command, finished and complete. Runs of different machines are ' +
        'not compared with each other.',
    )
    .argument('<file...>', 'results files (.jsonl) that --out wrote')
    .requiredOption('--out <file>', 'the file to write, which must not exist')
    .addHelpText(
      'after',
      examples([
        ['merge shard-*.jsonl --out all.jsonl', 'all shards; analyze and report read the file'],
        ['merge monday.jsonl tuesday.jsonl --out both.jsonl', 'two whole sessions of one command'],
      ]),
    )
    .action(async (files: string[], { out }: { readonly out: string }) => {
      const { writeMerged } = await import('../analysis/merge.ts');
      await writeMerged(files, out, processTerminal());
    });
}
