import { cpSync } from 'node:fs';
import type { SessionEvent } from '@bench-cli/runner';
import { expect } from 'vitest';
import {
  eventsIn,
  failuresOf,
  runsOf,
  type SessionOptions,
} from '../../../../test/support/session-events.ts';
import { temporarySuite } from '../../../../test/support/suite.ts';
import { fixture } from '../../../agent/test/node-bench/contract.ts';

/** Runs files, and fixtures of these names. */
export async function run(
  files: Readonly<Record<string, string>>,
  options: SessionOptions = {},
  fixtures: readonly string[] = [],
) {
  using suite = temporarySuite({ 'g/_keep': '', ...files });
  for (const name of fixtures) cpSync(fixture(name), suite.path(`g/${name}`));
  return await eventsIn(suite, options);
}

/** The cases that ran, with their rates or errors. */
export function ran(events: readonly SessionEvent[]): readonly string[] {
  return runsOf(events).map(({ benchmark: name, configuration, ...record }) => {
    const result = record.status === 'ok' ? record.values.rate : record.failure.message;
    return `${[name, ...Object.entries(configuration).map(([key, value]) => `${key}=${value}`)].join(' ')}: ${result}`;
  });
}

const typed = ['typed.mts', 'typed-helper.mts', 'typed.cts'];

/** Runs files of all formats under a runtime, in TypeScript too if it executes that. */
export async function expectAllFormats(runtime: string, isTypeScript: boolean): Promise<void> {
  const fixtures = ['hooks.mjs', 'common.cjs', 'helper.cjs', 'exports.mjs', ...(isTypeScript ? typed : [])];
  const exclude = ['helper', 'clock', '> first', '> another'];
  const options = { exclude, set: ['copy=true', 'n=1'], subjects: { node: { runtime } } };
  const events = await run({}, options, fixtures);
  expect(failuresOf(events)).toEqual([]);
  expect(ran(events)).toEqual([
    'g/common.cjs > copy copy=true n=1: 1000',
    'g/common.cjs > done: 100000000',
    'g/common.cjs > <anonymous>: 100000000',
    'g/exports.mjs > only: 100000000',
    'g/hooks.mjs > top copy=true half=0.5 text=a b z=1: 4000000',
    'g/hooks.mjs > outer > inner > deep: 4000000',
    'g/hooks.mjs > named > in named: 4000000',
    ...(isTypeScript
      ? [
          'g/typed.cts > typed: 1000000',
          'g/typed.mts > typed > size size=1: 3000000',
          'g/typed.mts > typed > size size=2: 6000000',
        ]
      : []),
  ]);
}
