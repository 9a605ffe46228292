import { Buffer } from 'node:buffer';

/** One benchmark under one configuration. */
export interface Group {
  readonly benchmark: string;
  readonly configuration: string;
}

/** Numbers the groups that the rows of a file belong to, in the order in which it first names them. */
export class Grouping {
  readonly groups: Group[] = [];
  readonly #numbers = new Map<string, Map<string, number>>();
  /** By group, the one that followed it the last time. */
  readonly #next: number[] = [];
  #last = 0;

  /** The number of a group, from 0. */
  numberOf(benchmark: string, configuration: string): number {
    if (this.#is(this.#last, benchmark, configuration)) return this.#last;
    // A file has round after round of the same groups: to look where the former round went on is faster than a search.
    const guess = this.#next[this.#last] ?? 0;
    const guessed = this.#is(guess, benchmark, configuration);
    const number = guessed ? guess : this.#search(benchmark, configuration);
    if (!guessed) this.#next[this.#last] = number;
    this.#last = number;
    return number;
  }

  #is(number: number, benchmark: string, configuration: string): boolean {
    const group = this.groups[number];
    return group?.configuration === configuration && group.benchmark === benchmark;
  }

  #search(benchmark: string, configuration: string): number {
    let configurations = this.#numbers.get(benchmark);
    if (configurations === undefined) {
      configurations = new Map();
      this.#numbers.set(ownText(benchmark), configurations);
    }
    const known = configurations.get(configuration);
    if (known !== undefined) return known;
    const group = { benchmark: ownText(benchmark), configuration: ownText(configuration) };
    configurations.set(group.configuration, this.groups.length);
    return this.groups.push(group) - 1;
  }
}

/**
 * A copy of a piece of a file. V8 keeps the whole chunk in memory for as long as a piece that was cut from it
 * lives, which for the names in a large file amounts to the file.
 */
export function ownText(piece: string): string {
  return Buffer.from(piece).toString();
}
