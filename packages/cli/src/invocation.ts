import { existsSync } from 'node:fs';
import { basename, delimiter, join, relative } from 'node:path';
import { commandNames } from '@bench-cli/results/settings';

/** How package managers start a command of a project. */
const starters: Readonly<Record<string, string>> = { npm: 'npx', pnpm: 'pnpm', yarn: 'yarn', bun: 'bunx' };

/** The command as the user can call it again: `npx bench-cli`, `pnpm bench-cli`, or `bench-cli` if it is on the PATH. */
export function calledAs(
  env: NodeJS.ProcessEnv = process.env,
  script: string = process.argv[1] ?? '',
): string {
  const [manager = ''] = env['npm_config_user_agent']?.split('/') ?? [];
  const starter = starters[manager];
  if (starter !== undefined) return `${starter} bench-cli`;
  const isOnPath = env['PATH']
    ?.split(delimiter)
    .some((directory) => existsSync(join(directory, 'bench-cli')));
  if (isOnPath) return 'bench-cli';
  const path = relative(process.cwd(), script);
  return basename(script) === 'bench-cli' ? path : `node ${path}`;
}

/** A text in which every command is as the user calls it. */
export function asCalled(text: string): string {
  return text.replace(commandsInText, () => calledAs());
}

const firstWords = new Set(commandNames.map((name) => name.split(' ', 1)[0]));

/** The name of this program before one of its commands. */
const commandsInText = new RegExp(
  String.raw`(?<!(?:npx|pnpm|yarn|bunx) )(?<![\w/.-])bench-cli(?= (?:${[...firstWords].join('|')})\b)`,
  'g',
);
