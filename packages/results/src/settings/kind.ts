/** A kind of values: their text on the command line and in a config file, and valid recorded values. */
export interface Kind<Value> {
  /** @param before the previous value of a repeated option @throws RangeError with the expected text */
  read(text: string, before?: Value): Value;
  /** The texts that `read` takes for a value. */
  write(value: Value): readonly string[];
  isValid(value: unknown): boolean;
  /** The expected text, after the word "expected". */
  readonly expected: string;
  /** The possible texts, if they are few. */
  readonly choices?: readonly string[];
}

/** Makes a kind of values with one text. */
function scalar<Value>(
  read: (text: string) => Value | undefined,
  write: (value: Value) => string,
  expected: string,
  isValid: (value: unknown) => boolean,
): Kind<Value> {
  return {
    read: (text) => {
      const value = read(text.trim());
      if (value === undefined) throw new RangeError(`expected ${expected}`);
      return value;
    },
    write: (value) => [write(value)],
    isValid,
    expected,
  };
}

export const flag: Kind<boolean> = scalar(
  (given) => given === 'true' || undefined,
  String,
  'true or false',
  (value) => typeof value === 'boolean',
);

const isText = (value: unknown): value is string => typeof value === 'string';
const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((each) => isText(each) && !reserved.test(each));
/** Objects cannot have this name or parameter. */
const reserved = /^__proto__(?:=|$)/;

export const text: Kind<string> = {
  read: (given) => given,
  write: (value) => [value],
  isValid: isText,
  expected: 'a text',
};

export const path: Kind<string> = { ...text, expected: 'a path' };

export const texts: Kind<readonly string[]> = {
  read: (given, before = []) => {
    if (reserved.test(given)) throw new RangeError('expected another name than __proto__');
    return [...before, given];
  },
  write: (value) => value,
  isValid: isTexts,
  expected: 'texts',
};

/** An option that names what is measured: a second one would be measured in place of the first. */
export const onlyText: Kind<string> = {
  ...text,
  read: (given, before) => {
    if (before === undefined) return given;
    throw new RangeError('expected one; compare takes several as --subject');
  },
};

/** An option that one command takes once, and another command several times. */
export const oneText: Kind<readonly string[]> = {
  ...texts,
  read: (given, before) => {
    if (before === undefined) return [given];
    throw new RangeError('expected one; compare and run take several');
  },
  isValid: (value) => isTexts(value) && value.length === 1,
};

/** An option that must be given several times. */
export const severalTexts: Kind<readonly string[]> = {
  ...texts,
  isValid: (value) => isTexts(value) && value.length > 1,
  expected: 'two or more texts',
};

export function oneOf<const Choice extends string>(choices: readonly Choice[]): Kind<Choice> {
  const find = (value: unknown) => choices.find((choice) => choice === value);
  const expected = `one of ${choices.join(', ')}`;
  return { ...scalar(find, String, expected, (value) => find(value) !== undefined), choices };
}

export const names: Kind<readonly string[]> = {
  read: (given) => {
    const list = given.split(',').map((name) => name.trim());
    if (list.includes('')) throw new RangeError(`expected ${names.expected}`);
    return list;
  },
  write: (list) => [list.join(',')],
  isValid: isTexts,
  expected: 'names, separated by commas',
};

const mostRuns = 1_000_000;

function countOf(given: string): number | undefined {
  const count = /^\d+$/.test(given) ? Number(given) : 0;
  return isCount(count) ? count : undefined;
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= mostRuns;
}

const aCount = `a whole number, 1 to ${mostRuns}`;

export const count: Kind<number> = scalar(countOf, String, aCount, isCount);

function countOr<const Other extends string | number>(other: Other): Kind<number | Other> {
  const read = (given: string) => (given === String(other) ? other : countOf(given));
  return scalar(read, String, `${aCount}, or ${other}`, (value) => value === other || isCount(value));
}

export const countOrAuto: Kind<number | 'auto'> = countOr('auto');
export const countOrNone: Kind<number> = countOr(0);

/** A percentage, as a fraction. */
export const percentage: Kind<number> = scalar(
  (given) => {
    const percent = Number(/^(\d+(?:\.\d+)?)\s*%$/.exec(given)?.[1]);
    return percent >= 1e-6 && percent < 100 ? percent / 100 : undefined;
  },
  (fraction) => `${Number((fraction * 100).toPrecision(6))}%`,
  'a percentage above 0 and below 100, such as 2%',
  (value) => typeof value === 'number' && value > 0 && value < 1,
);

const unitsMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** Timers of Node.js fire immediately with a longer delay, about 24 days. */
const mostMs = 2 ** 31 - 1;

function durationOf(least: number): Kind<number> {
  const isDuration = (value: unknown): value is number =>
    typeof value === 'number' && ((value >= 1 && value <= mostMs) || (value === 0 && least === 0));
  return scalar(
    (given) => {
      const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)\s*(ms|[smh])$/.exec(given) ?? [];
      const milliseconds = given === '0' ? 0 : Number(amount) * (unitsMs[unit] ?? Number.NaN);
      return isDuration(milliseconds) ? milliseconds : undefined;
    },
    (milliseconds) => {
      const [unit, size] = Object.entries(unitsMs).findLast(
        (each) => milliseconds > 0 && milliseconds % each[1] === 0,
      ) ?? ['ms', 1];
      return milliseconds === 0 ? '0' : `${milliseconds / size}${unit}`;
    },
    `a duration of 1 ms to 24 days with its unit, such as 90s, 20m or 2h${least === 0 ? ', or 0' : ''}`,
    isDuration,
  );
}

/** A duration of at least a millisecond, in milliseconds. */
export const duration: Kind<number> = durationOf(1);

/** A duration in milliseconds, or 0 for none. */
export const durationOrNone: Kind<number> = durationOf(0);

const isPerSecond = (value: unknown) => typeof value === 'number' && value > 0 && value <= 1e7;
export const perSecond: Kind<number> = scalar(
  (given) => (isPerSecond(Number(given)) ? Number(given) : undefined),
  String,
  'a number above 0, at most 1e7, such as 2000',
  isPerSecond,
);

/** The limit of shards, because a message lists missing shards. */
export const MOST_SHARDS = 10_000;

/** The part of a session, and the number of parts. */
export interface Shard {
  /** Counts from 1. */
  readonly index: number;
  readonly count: number;
}

function isShard(value: unknown): boolean {
  const { index, count }: Partial<Shard> = Object(value);
  return isCount(index) && isCount(count) && index <= count && count <= MOST_SHARDS;
}

export const shard: Kind<Shard> = scalar(
  (given) => {
    const [, index, count] = /^(\d+)\/(\d+)$/.exec(given) ?? [];
    const part = { index: Number(index), count: Number(count) };
    return isShard(part) ? part : undefined;
  },
  ({ index, count }) => `${index}/${count}`,
  `a part such as 3/8, the third of eight; at most ${MOST_SHARDS} parts`,
  isShard,
);
