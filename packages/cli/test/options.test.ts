import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { requireNode } from '../src/options.ts';

describe('a command that requires Node.js 22.21', () => {
  const clients = () => new Command('clients').exitOverride().configureOutput({ outputError: () => {} });

  it.each(['22.21.0', '22.30.1', '23.0.0', '26.1.0'])('runs under %s', (version) => {
    expect(() => requireNode(clients(), '22.21', version)).not.toThrow();
  });

  it.each(['22.19.0', '22.20.9', '21.99.0'])('names both versions under %s', (version) => {
    expect(() => requireNode(clients(), '22.21', version)).toThrow(
      new RegExp(`clients .*22\\.21.* ${version}`),
    );
  });
});
