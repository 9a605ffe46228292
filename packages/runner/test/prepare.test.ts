import { expect, it } from 'vitest';
import { errorWith } from '../../../test/support/error-with.ts';
import { temporarySuite } from '../../../test/support/suite.ts';
import { preparationBy } from '../src/process/prepare.ts';

it('fails with the output of a command that fails', async () => {
  using files = temporarySuite({});
  const preparation = preparationBy('echo "no compiler"; exit 3');
  const preparing = preparation?.run('git:main (c6e37fc)', files.directory, {});
  const values = ['git:main (c6e37fc)', '--prepare "echo', 'code 3', 'no compiler'];
  await expect(preparing).rejects.toThrow(errorWith('PREPARE', ...values));
});
