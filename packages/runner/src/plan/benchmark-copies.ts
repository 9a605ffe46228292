import { readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { UsageError } from '@bench-cli/results';
import type { BenchmarkFile, SessionRequest, Subject } from '@bench-cli/results/recording';
import { orElse } from '@bench-cli/system';

/**
 * Where a subject has a benchmark: one with its own working directory, such as another checkout, has its own
 * copy. A benchmark outside of the tree that a source takes the place of has no other copy.
 */
export function copyOf({ path }: BenchmarkFile, { source, ...subject }: Subject, cwd: string): string {
  const isElsewhere = source !== undefined && relative(source.base, path).startsWith('..');
  return subject.cwd === undefined || isElsewhere ? path : resolve(subject.cwd, relative(cwd, path));
}

/** @throws UsageError if the copies of two subjects differ: their rates say nothing about the subjects */
export function checkCopies({ files, subjects, settings: { cwd } }: SessionRequest): void {
  for (const file of files) {
    if (file.command !== undefined) continue;
    const paths = new Set(subjects.map((subject) => copyOf(file, subject, cwd)));
    if (paths.size < 2) continue;
    const [first, ...others] = [...paths].flatMap((path) => {
      // The planning of a file that cannot be read fails.
      const content = orElse(() => readFileSync(path, 'latin1'), undefined);
      return content === undefined ? [] : [{ path, content }];
    });
    const other = others.find(({ content }) => content !== first?.content);
    if (first === undefined || other === undefined) continue;
    const problem = `${file.name} differs between the subjects, so their rates cannot be compared: ${first.path} and ${other.path}; copy one over the other, and let only the code that it imports differ`;
    throw new UsageError('ERR_BENCH_FILES_DIFFER', problem);
  }
}
