import { chmodSync, chownSync } from 'node:fs';
import { expect, it } from 'vitest';
import { errorWith } from '../../../test/support/error-with.ts';
import { temporarySuite } from '../../../test/support/suite.ts';
import { findConfigFile } from '../src/settings/config-file.ts';

it.runIf(process.getuid?.() === 0).each([0o777, 0o1777, 0o2775])(
  'a config file of another user is refused in a directory with the mode %o',
  (mode) => {
    using files = temporarySuite({ 'above/bench-cli.config.mjs': '', 'above/project/x': '' });
    const file = files.path('above/bench-cli.config.mjs');
    expect(findConfigFile(files.path('above/project'))).toBe(file);
    chmodSync(files.path('above'), mode);
    expect(findConfigFile(files.path('above/project'))).toBe(file);
    chownSync(file, 1, 1);
    expect(() => findConfigFile(files.path('above/project'))).toThrow(errorWith('CONFIG_FILE', file));
  },
);
