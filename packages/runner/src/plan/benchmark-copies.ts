import { hash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { UsageError } from '@bench-cli/results';
import type { BenchmarkFile, SessionRequest, Subject } from '@bench-cli/results/recording';
import { orElse } from '@bench-cli/system';

/**
 * Where a subject has a benchmark: one with its own working directory, such as another checkout, has its own copy. A benchmark
 * outside of the tree that a source takes the place of has no other copy.
 */
export function copyOf({ path }: BenchmarkFile, { source, ...subject }: Subject, cwd: string): string {
  const isElsewhere = source !== undefined && relative(source.base, path).startsWith('..');
  return subject.cwd === undefined || isElsewhere ? path : resolve(subject.cwd, relative(cwd, path));
}

/**
 * SHA-256 of each benchmark file, by the benchmark's name. All subjects must execute the same benchmark, because the rates of
 * two benchmarks say nothing about the subjects.
 * @throws UsageError if the copies of two subjects differ
 */
export function digestsOf({ files, subjects, settings: { cwd } }: SessionRequest): Record<string, string> {
  return Object.fromEntries(
    files.flatMap((file) => {
      if (file.command !== undefined) return [];
      const paths = [...new Set(subjects.map((subject) => copyOf(file, subject, cwd)))].filter(existsSync);
      const [first, ...others] = paths.flatMap((path) => {
        // Its planning fails.
        const content = orElse(() => readFileSync(path), undefined);
        return content === undefined ? [] : [{ path, digest: hash('sha256', content) }];
      });
      if (first === undefined) return [];
      const other = others.find(({ digest }) => digest !== first.digest);
      if (other !== undefined) throw differentCopies(file, first.path, other.path);
      return [[file.name, first.digest]];
    }),
  );
}

function differentCopies({ name }: BenchmarkFile, one: string, other: string): UsageError {
  return new UsageError(
    'ERR_BENCH_FILES_DIFFER',
    `${name} differs between the subjects, so their rates cannot be compared: ${one} and ${other}; copy one over the other, and let only the code that it imports differ`,
  );
}
