import { calledCommand, TRUST_VARIABLE, UsageError } from '@bench-cli/results';
import {
  allSettings,
  type CommandName,
  type CommandSettings,
  configDefaults,
  countOrAuto,
  defaultText,
  findConfigFile,
  kindOf,
  optionOf,
  path,
  type Setting,
  settingCommands,
  settingGroups,
  settings,
  settingsOf,
  takes,
} from '@bench-cli/results/settings';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { isGiven, locatedFile } from '../options.ts';
import type { CommandIo, Terminal } from '../terminal.ts';

/** A call whose command is not known yet. */
export interface CommandLine {
  readonly argv: readonly string[];
  readonly io: CommandIo;
  readonly terminal: () => Terminal;
  readonly ended: (exitCode: number) => void;
}

/** A command of bench-cli. Its options are the settings that name it. */
export interface CommandDefinition<Name extends CommandName> {
  readonly name: Name;
  readonly summary: string;
  readonly description: string;
  readonly operands?: readonly [syntax: string, description: string];
  readonly takesFiles?: true;
  /** The words of each command, with what it does. */
  readonly examples: Readonly<Record<string, string>>;
  /** @returns the exit code */
  run(
    operands: readonly string[],
    settings: CommandSettings<Name>,
    context: { readonly command: Command; readonly terminal: Terminal; readonly argv: readonly string[] },
  ): Promise<number>;
}

/**
 * Adds a command to the program, or to the command that is the first word of its name. A command has options
 * only if the user names it: those of all commands take milliseconds.
 */
export function addCommand<Name extends CommandName>(
  parent: Command,
  definition: CommandDefinition<Name>,
  { argv, io, terminal, ended }: CommandLine,
): void {
  const { name, summary, description, operands, examples } = definition;
  const word = name.split(' ').at(-1) ?? name;
  const command = parent
    .command(word)
    .summary(summary)
    .description(description)
    .addHelpOption(new Option('-h, --help', 'this help; --help all: every option').helpGroup('Session:'));
  if (operands !== undefined) command.argument(...operands);
  const isNamed = argv.includes(word) || argv[0] === 'complete';
  for (const [group, members] of isNamed ? Object.entries(settingGroups) : []) {
    for (const [key, setting] of Object.entries<Setting>(members)) {
      if (!takes(setting, name)) continue;
      const option = new SettingOption(key, setting, name).helpGroup(`${group}:`);
      command.addOption(helpIsWhole(argv) || setting.commands.includes(name) ? option : option.hideHelp());
    }
  }
  command
    .addHelpText('after', () => helpEnd(command, name, examples))
    .action(async () => {
      const { cwd } = io;
      const words = command.processedArgs.flat().filter((operand) => operand !== undefined);
      const isResumed = command.getOptionValue('resume') !== undefined;
      if (isResumed) checkResume(command, words);
      const isTrusting = command.getOptionValue('trust') === true;
      const env = isTrusting ? { ...io.env, [TRUST_VARIABLE]: '1' } : io.env;
      // What only reads files executes no config file.
      const readsConfig = takes(settings.trust, name) && !definition.takesFiles;
      // The subjects that the config file names are recorded with the words, because a later file can name
      // others.
      const subjectWords: string[] = [];
      for (const [key, value] of readsConfig ? await configDefaults(cwd, name, env) : []) {
        const setting = allSettings[key];
        if (setting === undefined || isGiven(command, key) || (isResumed && !setting.isView)) continue;
        command.setOptionValueWithSource(key, value, 'config');
        // The old side of `run` is only for `--affected`.
        if (key === 'subjects' || (name !== 'run' && (key === 'old' || key === 'new')))
          for (const text of kindOf(setting, name).write(value)) subjectWords.push(optionOf(setting), text);
      }
      const operandsGiven = definition.takesFiles ? words.map((file) => locatedFile(file, cwd)) : words;
      const located = locatedSettings(command.opts<CommandSettings<Name>>(), name, cwd);
      const isDefaulted = (key: string) => command.getOptionValueSource(key) === 'config';
      const given = takes(settings.suite, name)
        ? { ...located, defaulted: Object.keys(located).filter(isDefaulted) }
        : located;
      try {
        const measuring = argv.toSpliced(name.split(' ').length, 0, ...subjectWords);
        const context = { command, terminal: withVariables(terminal(), env), argv: measuring };
        ended(await definition.run(operandsGiven, given, context));
      } catch (error) {
        const option = error instanceof UsageError ? error.option : undefined;
        if (error instanceof UsageError && option && command.getOptionValueSource(option) === 'config')
          error.source = findConfigFile(cwd);
        throw error;
      }
    });
}

function withVariables(terminal: Terminal, env: NodeJS.ProcessEnv): Terminal {
  // Reading a stream or the signal of a process would open it.
  const io: CommandIo = Object.create(terminal.io, { env: { value: env } });
  return { ...terminal, io };
}

/** The settings of a command, with paths that this process can open. */
function locatedSettings<Settings extends object>(
  settings: Settings,
  command: CommandName,
  cwd: string,
): Settings {
  const located = { ...settings };
  for (const [key, setting] of settingsOf(command)) {
    const value: unknown = Reflect.get(settings, key);
    if (typeof value === 'string' && kindOf(setting, command) === path)
      Reflect.set(located, key, locatedFile(value, cwd));
  }
  return located;
}

/** An option, whose value has the name of its setting. */
export class SettingOption extends Option {
  readonly key: string;
  readonly values: readonly string[];

  constructor(key: string, setting: Setting, command: CommandName) {
    const kind = kindOf(setting, command);
    const fallback = defaultText(setting, command);
    const notes = [kind.choices?.join(', '), fallback && `default: ${fallback}`];
    const note = notes.filter((text) => text !== undefined).join('; ');
    // Some commands take only numbers.
    const flag = kind === countOrAuto ? setting.flag : setting.flag.replace('|auto', '');
    super(flag, note === '' ? setting.help : `${setting.help} (${note})`);
    this.key = key;
    this.values = kind.choices ?? [];
    if (!this.required) return;
    this.argParser((text, before: unknown) => {
      try {
        return kind.read(text, before);
      } catch (error) {
        const others = settingCommands(setting).filter((name) =>
          kindOf(setting, name).choices?.includes(text),
        );
        const elsewhere = others.length > 0 ? `; ${text} is for ${others.join(', ')}` : '';
        throw new InvalidArgumentError(`${error instanceof Error ? error.message : error}${elsewhere}`);
      }
    });
  }

  override attributeName(): string {
    return this.key;
  }
}

/** Whether the user asks for all options: `--help all`. */
function helpIsWhole(argv: readonly string[]): boolean {
  const at = argv.findIndex((word) => word === '--help' || word === '-h');
  return at >= 0 && argv[at + 1] === 'all';
}

/** Refuses options with --resume that the file has, except those that show or extend the session. */
function checkResume(command: Command, words: readonly string[]): void {
  const extra =
    words[0] ??
    command.options.find((option) => {
      const key = option.attributeName();
      const setting = allSettings[key];
      return isGiven(command, key) && !setting?.isView && !setting?.extends;
    })?.long;
  if (extra === undefined) return;
  command.error(`--resume takes all options from its file: remove ${extra}, or start a new session`);
}

/** The settings that the user gave, and that a form of the command does not have. */
export function refuseOthers(command: Command, allowed: readonly string[], why: string): void {
  const other = command.options.find(
    (option) => !allowed.includes(option.attributeName()) && isGiven(command, option.attributeName()),
  );
  if (other !== undefined) command.error(`${why}: remove ${other.long}`);
}

/** The examples, each with what it does, and where the other options are. */
function helpEnd(
  command: Command,
  name: CommandName,
  examples: CommandDefinition<CommandName>['examples'],
): string {
  const hidden = command.options.filter((option) => option.hidden).length;
  return [
    '',
    'Examples:',
    ...Object.entries(examples).map(
      ([example, what]) => `  # ${what}\n${wrapped(`${calledCommand([])} ${example}`)}`,
    ),
    ...(hidden === 0
      ? []
      : ['', `${calledCommand([...name.split(' '), '--help', 'all'])}: ${hidden} more options`]),
  ].join('\n');
}

const WIDTH = 80;

/** A command, continued on the next line if it is long; an option stays with its value, `>` with its file. */
function wrapped(command: string): string {
  const words = command.match(/(?:(?:--[\w-]+|>) (?!-))?(?:"[^"]*"|'[^']*'|\S)+/g) ?? [];
  const lines = ['  $'];
  for (const word of words) {
    const line = `${lines.at(-1)} ${word}`;
    if (line.length <= WIDTH - ' \\'.length) lines[lines.length - 1] = line;
    else lines.push(`      ${word}`);
  }
  return lines.join(' \\\n');
}
