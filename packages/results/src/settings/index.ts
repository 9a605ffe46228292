/**
 * The settings of bench-cli: their options, their values, their help, and the config file that gives them defaults.
 *
 * @packageDocumentation
 */
export { type ConfigDefaults, configDefaults, findConfigFile, loadConfigFile } from './config-file.ts';
export { percentage } from './kind.ts';
export {
  allSettings,
  type CommandName,
  type CommandSettings,
  checkApplicable,
  commandNames,
  defaultOf,
  kindOf,
  optionOf,
  type RecordedSettings,
  type Setting,
  type SettingName,
  type SettingValue,
  settingCommands,
  settingGroups,
  settingsFor,
  settingsOf,
  takes,
} from './settings.ts';
