/**
 * The settings of bench-cli: options, values, help, and the config file with defaults.
 * @packageDocumentation
 */
export { type ConfigDefaults, configDefaults, findConfigFile, loadConfigFile } from './config-file.ts';
export { countOrAuto, path } from './kind.ts';
export * from './settings.ts';
