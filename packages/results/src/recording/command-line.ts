import { allSettings, optionOf, type SettingName } from '../settings/settings.ts';

const settingsByOption = new Map(
  Object.entries(allSettings).map(([name, setting]) => [optionOf(setting), { name, setting }]),
);

/** An option with its value, or an operand, which has no name. */
interface Part {
  readonly name?: string;
  readonly words: readonly string[];
}

function partsOf(words: readonly string[]): readonly Part[] {
  const parts: Part[] = [];
  const left = [...words];
  for (let word = left.shift(); word !== undefined; word = left.shift()) {
    const [option = '', value] = word.split(/=(.*)/s);
    const found = settingsByOption.get(option);
    if (word === '--') parts.push(...left.splice(0).map((operand) => ({ words: [operand] })));
    else if (found === undefined) parts.push({ words: [word] });
    else {
      const takesValue = found.setting.flag.includes(' ');
      const values = value ?? (takesValue ? left.shift() : undefined);
      parts.push({ name: found.name, words: [option, ...(values === undefined ? [] : [values])] });
    }
  }
  return parts;
}

/**
 * The recorded words of a command. Secrets are masked: values of variables, credentials in addresses, bodies,
 * and headers that identify a user.
 */
export function recordedWords(words: readonly string[]): readonly string[] {
  return partsOf(words).flatMap(({ name, words: [first = '', ...values] }) => {
    const shown = values.map((value) => {
      if (name === 'body') return '***';
      if (name === 'headers' && /^(?:proxy-)?authorization|^cookie/i.test(value))
        return value.replace(/:.*/s, ': ***');
      return name !== undefined && subjectOptions.includes(name) ? value.replaceAll(variable, '$1') : value;
    });
    return [first, ...shown].map((word) => word.replaceAll(/(:\/\/)[^/\s@]+@/g, '$1***@'));
  });
}

/** A variable of a subject: its name precedes its value. */
const variable = /((?:^|,)env=(?:"(?:[^"\\]|\\.)*"|[^=,"])+)=(?:"(?:[^"\\]|\\.)*"|[^,"])*/g;

const subjectOptions: readonly string[] = ['old', 'new', 'subjects'] satisfies SettingName[];

/** Options that belong to a single call, such as the place of its results. */
const ofOneCall: ReadonlySet<string> = new Set(['out', 'shard', 'trust', 'dryRun'] satisfies SettingName[]);

/** @param others values that replace those of the words; an empty list removes the option */
export function repeatedWords(
  words: readonly string[],
  others: Readonly<{ [Name in SettingName]?: readonly string[] }> = {},
  operands?: readonly string[],
): readonly string[] {
  const command = words.slice(0, words[0] === 'http' ? 2 : 1);
  const parts = partsOf(words.slice(command.length));
  const kept = parts.flatMap(({ name, words: option }) =>
    name === undefined || name in others || ofOneCall.has(name) || allSettings[name]?.isView ? [] : option,
  );
  const changed = Object.entries(others).flatMap(([name, values]) => {
    const setting = allSettings[name];
    return setting === undefined ? [] : (values ?? []).flatMap((value) => [optionOf(setting), value]);
  });
  const items = operands ?? parts.flatMap((part) => (part.name === undefined ? part.words : []));
  // The name of a benchmark can look like an option.
  const dashes = items.some((item) => item.startsWith('-')) ? ['--'] : [];
  return [...command, ...kept, ...changed, ...dashes, ...items];
}

export function valuesIn(words: readonly string[], name: SettingName): readonly string[] {
  return partsOf(words).flatMap((part) => (part.name === name ? part.words.slice(1) : []));
}
