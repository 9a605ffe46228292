import { globSync, readFileSync } from 'node:fs';
import { dirname, sep } from 'node:path';
import { execa } from 'execa';
import { z } from 'zod';

/**
 * Stops a release while the packages do not say where their source is: npm refuses provenance without `repository`, and a published
 * version cannot be changed. Then does all of the release but the upload. Reads the packages below the working directory.
 */
const manifest = z.object({
  name: z.string(),
  private: z.boolean().default(false),
  repository: z.object({ url: z.url(), directory: z.string() }).optional().catch(undefined),
  homepage: z.url().optional().catch(undefined),
  bugs: z
    .union([z.url(), z.object({ url: z.url() })])
    .optional()
    .catch(undefined),
});

const problems = globSync('packages/*/package.json')
  .sort()
  .flatMap((file) => {
    const { private: isPrivate, ...fields } = manifest.parse(JSON.parse(readFileSync(file, 'utf8')));
    if (isPrivate) return [];
    const directory = dirname(file).replaceAll(sep, '/');
    const missing = (['repository', 'homepage', 'bugs'] as const).filter(
      (name) => fields[name] === undefined,
    );
    if (fields.repository && fields.repository.directory !== directory) missing.push('repository');
    return missing.length === 0 ? [] : `${file}: set ${missing.join(', ')}`;
  });

if (problems.length > 0) {
  console.error(
    [
      ...problems,
      'Nothing was published. Each package must say where its source is, such as',
      '  "repository": { "type": "git", "url": "git+https://HOST/OWNER/NAME.git", "directory": "packages/cli" },',
      '  "homepage": "https://HOST/OWNER/NAME#readme",',
      '  "bugs": "https://HOST/OWNER/NAME/issues"',
    ].join('\n'),
  );
  process.exitCode = 1;
} else {
  const { exitCode } = await execa({
    reject: false,
    stdio: 'inherit',
  })`npx -y pnpm --filter ./packages/* publish --dry-run --no-git-checks`;
  if (exitCode !== 0) process.exitCode = 1;
}
