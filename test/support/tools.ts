import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { beforeEach } from 'vitest';

/** What some tests need and a fresh machine may lack, with the command that installs it. */
export const tools = {
  wrk: { isThere: onPath('wrk'), install: 'apt-get install wrk' },
  h2load: { isThere: onPath('h2load'), install: 'apt-get install nghttp2-client' },
  oha: { isThere: onPath('oha'), install: 'cargo install --locked oha' },
  curl: { isThere: onPath('curl'), install: 'apt-get install curl' },
  fish: { isThere: onPath('fish'), install: 'apt-get install fish' },
  jq: { isThere: onPath('jq'), install: 'apt-get install jq' },
  script: { isThere: onPath('script'), install: 'apt-get install bsdutils' },
  zsh: { isThere: onPath('zsh'), install: 'apt-get install zsh' },
  zip: { isThere: onPath('zip') && onPath('unzip'), install: 'apt-get install zip unzip' },
  "Node core's benchmark suite": {
    isThere: Boolean(process.env['NODE_CORE_BENCHMARK']),
    install: 'NODE_CORE_BENCHMARK="$(.ci/node-core-suite)"',
  },
  "podium's HTTP client": {
    isThere: Boolean(process.env['PODIUM_PROJECT']),
    install: 'PODIUM_PROJECT=a directory with an npm pack of github.com/podium-lib/http-client installed',
  },
} as const;

export type Tool = keyof typeof tools;

export function isTool(name: string): name is Tool {
  return Object.hasOwn(tools, name);
}

/** Begins the note of a test that is skipped for want of a tool; the reporter counts them. */
export const noteOfMissing = (tool: string): string => `needs ${tool}`;

export function hasTool(tool: Tool): boolean {
  return tools[tool].isThere;
}

/**
 * Skips tests of this file or `describe` where a tool is missing, with a note for the summary.
 * @param titles the tests that need it, by their full names; default: all
 */
export function skipWithout(tool: Tool, titles = /(?:)/): void {
  beforeEach((context) => {
    if (!hasTool(tool) && titles.test(fullName(context.task))) context.skip(noteOfMissing(tool));
  });
}

/** The titles of a test and of what it is in, as reports show them. */
function fullName(task: {
  readonly name: string;
  readonly suite?: { readonly name: string } | undefined;
}): string {
  const names: string[] = [];
  for (let at: typeof task | undefined = task; at !== undefined; at = at.suite) names.unshift(at.name);
  return names.join(' > ');
}

function onPath(program: string): boolean {
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .some((directory) => existsSync(join(directory, program)));
}
