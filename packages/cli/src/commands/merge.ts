import type { Command } from 'commander';
import { examples } from '../options.ts';
import { processTerminal } from '../terminal.ts';

/** `bench-cli merge`: the recordings of several machines as one. */
export function addMergeCommand(program: Command): void {
  program
    .command('merge')
    .summary('put the results of several machines together')
    .description(
      'Puts results files of run or compare together: those of all shards (--shard), or of whole sessions that several ' +
        'machines have measured. They must be of one command, finished and complete. What was measured on several ' +
        'machines is compared within each of them.',
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
      const { writeMerged } = await import('../output/merged-file.ts');
      await writeMerged(files, out, processTerminal());
    });
}
