import {
  allSettings,
  defaultOf,
  defaultText,
  kindOf,
  type RecordedSettings,
  type SettingName,
  type SettingValue,
} from '../settings/settings.ts';
import type { SessionRequest } from './line.ts';
import { adaptiveRuns, mostRuns } from './run-rule.ts';

type Values = { readonly [Name in SettingName]?: SettingValue<Name> | undefined };

/** The settings of a recorded session for another session. A shard is not a setting of the whole session. */
export function settingsOfRequest({ files, runs, settings, metrics }: SessionRequest): Values {
  const adaptive = adaptiveRuns(runs);
  const { cwd: _, test: _test, cpuSet, loadCpuSet, jobs, ...same } = settings;
  const commands = files.filter(({ command }) => command !== undefined);
  const cpus = { CPUSET: cpuSet, LOADCPUSET: loadCpuSet };
  return {
    ...same,
    set: [
      ...same.set,
      ...Object.entries(cpus).flatMap(([name, set]) => (set === undefined ? [] : `${name}=${set}`)),
    ],
    // Without a name of its own, a whole command has its text.
    names: commands.some(({ name, path }) => name !== path) ? commands.map(({ name }) => name) : undefined,
    jobs: jobs?.length,
    ...(adaptive ? { ...adaptive, runs: 'auto' } : { runs: mostRuns(runs) }),
    ...(metrics && { metrics: metrics.metrics.map(({ name }) => name) }),
  };
}

/** The recorded options of a session, without defaults. */
export function recordedSettings(options: RecordedSettings): RecordedSettings {
  const given: Readonly<Record<string, unknown>> = { ...options };
  return Object.fromEntries(
    Object.entries(allSettings).flatMap(([name, setting]) => {
      const value = given[name];
      if (!setting.isRecorded || value === undefined || value === false) return [];
      const text = kindOf(setting, 'compare').write(value).join();
      const isDefault = value === defaultOf(setting, 'compare') && text === defaultText(setting, 'compare');
      return isDefault ? [] : [[name, value]];
    }),
  );
}
