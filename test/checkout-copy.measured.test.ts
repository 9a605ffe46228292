import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, it } from 'vitest';

const checkout = join(import.meta.dirname, '..');
const bin = 'packages/cli/lib/bin.js';

it('is changed and built without the checkout that it was copied from', async () => {
  const copy = realpathSync(mkdtempSync(join(tmpdir(), 'bench-cli-copy-')));
  try {
    const names = [
      'packages',
      'scripts',
      'package.json',
      'pnpm-lock.yaml',
      'tsconfig.json',
      'tsconfig.base.json',
    ];
    for (const name of names)
      cpSync(join(checkout, name), join(copy, name), { recursive: true, verbatimSymlinks: true });
    symlinkSync(join(checkout, 'node_modules'), join(copy, 'node_modules'));
    const changed = join(copy, 'packages/cli/src/commands/completion-command.ts');
    const source = readFileSync(changed, 'utf8');
    writeFileSync(changed, source.replace("summary: '", "summary: 'changed: "));

    const inCopy = execa({ cwd: copy, preferLocal: true, localDir: checkout });
    await inCopy`tsc --build`;
    await inCopy`node scripts/bundle.ts`;

    const helpIn = async (directory: string) =>
      (await execa('node', [join(directory, bin), '--help'], { cwd: directory })).stdout;
    expect(await helpIn(copy)).toContain('changed: ');
    expect(await helpIn(checkout)).not.toContain('changed: ');
  } finally {
    rmSync(copy, { recursive: true });
  }
});
