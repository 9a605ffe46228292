import {
  allSettings,
  type CommandName,
  defaultOf,
  defaultText,
  kindOf,
  optionOf,
  type RecordedSettings,
  type Setting,
  type SettingName,
  type SettingValue,
  takes,
} from '../settings/settings.ts';
import type { BenchmarkFile, SessionRequest } from './line.ts';
import { adaptiveRuns, mostRuns } from './run-rule.ts';

type Values = { readonly [Name in SettingName]?: SettingValue<Name> | undefined };

/** The settings of a recorded session, as they can be given for another. A shard is not a setting of the whole session. */
export function settingsOfRequest({ files, runs, settings, metrics }: SessionRequest): Values {
  const adaptive = adaptiveRuns(runs);
  const { cwd: _, test: _test, cpuSet, loadCpuSet, jobs, ...same } = settings;
  const cpus = { CPUSET: cpuSet, LOADCPUSET: loadCpuSet };
  return {
    ...same,
    set: [
      ...same.set,
      ...Object.entries(cpus).flatMap(([name, set]) => (set === undefined ? [] : `${name}=${set}`)),
    ],
    names: namesOf(files.filter(({ command }) => command !== undefined)),
    jobs: jobs?.length,
    ...(adaptive ? { ...adaptive, runs: 'auto' } : { runs: mostRuns(runs) }),
    ...(metrics && { metrics: metrics.metrics.map(({ name }) => name) }),
  };
}

/** The names of whole commands; undefined if all have that of their text. */
function namesOf(commands: readonly BenchmarkFile[]): readonly string[] | undefined {
  return commands.some(({ name, path }) => name !== path) ? commands.map(({ name }) => name) : undefined;
}

/** The options that the file of a session has as they were given, without those that are as by default. */
export function recordedSettings(options: RecordedSettings): RecordedSettings {
  const given: Readonly<Record<string, unknown>> = { ...options };
  return Object.fromEntries(
    Object.entries(allSettings).flatMap(([name, setting]) => {
      const value = given[name];
      if (!setting.isRecorded || value === undefined || value === false) return [];
      return isDefault(setting, 'compare', value) ? [] : [[name, value]];
    }),
  );
}

/** The arguments of a command that give values to settings; without those that are its defaults. */
export function settingWords(values: Readonly<Record<string, unknown>>, command: CommandName): string[] {
  return Object.entries(allSettings).flatMap(([name, setting]) => {
    const value = values[name];
    if (value === undefined || value === false || !takes(setting, command)) return [];
    if (!setting.flag.includes(' ')) return [optionOf(setting)];
    if (isDefault(setting, command, value)) return [];
    return kindOf(setting, command)
      .write(value)
      .flatMap((text) => [optionOf(setting), text]);
  });
}

/** Whether a command without the option takes the value, also in a pipe. */
function isDefault(setting: Setting, command: CommandName, value: unknown): boolean {
  const text = kindOf(setting, command).write(value).join();
  return value === defaultOf(setting, command) && text === defaultText(setting, command);
}
