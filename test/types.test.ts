import { execa } from 'execa';
import { expect, it } from 'vitest';
import { root } from './support/command.ts';

it('tests, benchmarks and scripts have no mistake that the type checker finds', async () => {
  const { stdout, exitCode } = await execa('tsc', ['-p', 'tsconfig.tests.json'], {
    cwd: root,
    preferLocal: true,
    reject: false,
  });
  expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 0 });
});
