import { Buffer } from 'node:buffer';

/** Numbers the cases of a file in the order of their first rows. */
export class Grouping {
  readonly groups: { readonly benchmark: string; readonly configuration: string }[] = [];
  readonly #numbers = new Map<string, Map<string, number>>();
  /** For each group, the group of the following row at its last occurrence. */
  readonly #next: number[] = [];
  #last = 0;

  numberOf(benchmark: string, configuration: string): number {
    if (this.#is(this.#last, benchmark, configuration)) return this.#last;
    // A file repeats the same groups in every round, so the former successor is usually right.
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

/** Copies a piece of a file, because a slice keeps the whole chunk in memory. */
export function ownText(piece: string): string {
  return Buffer.from(piece).toString();
}
