import { realpathSync } from 'node:fs';
import { dirname, relative, sep } from 'node:path';
import type { BenchmarkFile, Subject } from '@bench-cli/results/recording';
import { propertyIn } from '@bench-cli/system';
import { manifestOf } from '../suite/imported-modules.ts';

/** The files that a benchmark loads of a replaced package, but not from its replacement. */
interface NotReplaced {
  /** Why the benchmark measures the same code under all subjects, as the rest of a sentence. */
  readonly ofProject?: string | undefined;
  /** Another installed copy of the package, as the rest of a sentence. */
  readonly installed?: string | undefined;
}

/**
 * Finds code of a package that no subject replaces: `npm:` replaces only imports by the name of the package,
 * and only those of the project's files.
 * @param paths what one subject loads for the file
 */
export async function notReplaced(
  { path: file }: BenchmarkFile,
  { packages = [] }: Subject,
  paths: readonly string[] = [],
): Promise<NotReplaced> {
  if (packages.length === 0) return {};
  const { isSource } = await import('@bench-cli/subjects/code');
  const found: { -readonly [Kind in keyof NotReplaced]: string } = {};
  for (const { name, directory } of packages) {
    const own = realpathSync(directory);
    for (const path of paths) {
      if (path.split(sep).includes('node_modules')) {
        if (path.includes(`${sep}node_modules${sep}${name}${sep}`) && !path.startsWith(own))
          found.installed ??= `also loads ${path}, which npm:${name} does not replace`;
        continue;
      }
      const manifest = dirname(path) === dirname(file) ? undefined : manifestOf(path);
      if (manifest === undefined || propertyIn(manifest, 'name') !== name) continue;
      const inside = relative(dirname(manifest), path);
      if (isSource(inside))
        found.ofProject ??= `loads ${inside} of the project, which is the same under all subjects: npm:${name} replaces only imports by the name "${name}": import it by this name, or compare git:REF; --allow-same measures it as it is`;
    }
  }
  return found;
}
