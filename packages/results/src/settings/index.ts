/**
 * The settings of bench-cli: their options, their values, their help, and the config file that gives them defaults.
 *
 * @packageDocumentation
 */
export { type ConfigDefaults, configDefaults, findConfigFile, loadConfigFile } from './config-file.ts';
export { path } from './kind.ts';
export * from './settings.ts';
