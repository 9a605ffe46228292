import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type CommandSettings, optionOf, type SettingValue, settings } from '@bench-cli/results/settings';
import type { AdaptiveOptions } from '@bench-cli/runner';
import type { Command } from 'commander';

export type SearchFormat = SettingValue<'format', 'bisect'>;
export type AnalysisFormat = SettingValue<'format', 'analyze'>;
export type CompareFormat = SettingValue<'format', 'compare'>;
export type RunFormat = SettingValue<'format', 'run'>;

const adaptive = ['margin', 'maxRuns', 'budgetMs'] as const;

/** The number of runs for the runner; undefined for its default, and for a resumed session. */
export function runsOf(
  command: Command,
  options: Pick<CommandSettings<'compare'>, 'runs' | (typeof adaptive)[number]>,
  fallback: number | 'auto' | undefined,
): number | AdaptiveOptions | undefined {
  if (command.getOptionValue('resume') !== undefined) return undefined;
  const { runs = fallback, margin, maxRuns, budgetMs } = options;
  if (runs === 'auto') return { margin, maxRuns, budgetMs };
  const idle = ([...adaptive, 'declaredTimes'] as const).find((name) => isGiven(command, name));
  if (idle === undefined) return runs;
  const flag = optionOf(settings[idle]);
  command.error(`${flag} requires --runs auto: add it, or remove ${flag}`);
}

/** Whether a setting is on the command line. A config file can set it, too. */
export function isGiven(command: Command, name: string): boolean {
  return command.getOptionValueSource(name) === 'cli';
}

/**
 * A file that the user names, as this process can open it. A name before it, as in `linux=a.csv`, remains.
 * `-` is the standard input.
 */
export function locatedFile(file: string, cwd: string): string {
  if (file === '-' || cwd === process.cwd()) return file;
  const path = resolve(cwd, file);
  const [, name, named] = existsSync(path) ? [] : (/^([^=]+)=(.+)$/s.exec(file) ?? []);
  return named === undefined ? path : `${name}=${resolve(cwd, named)}`;
}

export function requireNode(
  command: Command,
  required: `${number}.${number}`,
  version: string = process.versions.node,
): void {
  if (version.localeCompare(required, 'en', { numeric: true }) >= 0) return;
  command.error(
    `${command.name()} requires Node.js ${required} or later, and this is ${version}: run bench-cli with a newer Node.js`,
  );
}
