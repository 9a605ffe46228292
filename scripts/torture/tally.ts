/** What must be 0 for each kind of attack. */
export const faults = [
  'lost',
  'double',
  'orphans',
  'hangs',
  'stack traces',
  'wrong exit codes',
  'wrong figures',
  'crashes',
] as const;
export type Fault = (typeof faults)[number];

/** Counts the faults of one kind of attack, and keeps the details of the first ones. */
export class Tally {
  readonly name: string;
  attempts = 0;
  readonly #counts = new Map<Fault, number>();
  readonly details: string[] = [];
  skipped: string | undefined;

  constructor(name: string) {
    this.name = name;
  }

  add(fault: Fault, detail: string): void {
    this.#counts.set(fault, this.count(fault) + 1);
    if (this.details.length < 10) this.details.push(`${this.name}: ${fault}: ${detail.slice(0, 1000)}`);
  }

  /** Says once why this machine does not allow the attack. */
  skip(why: string): void {
    if (this.skipped === undefined) console.log(`${this.name}: skipped, because ${why}`);
    this.skipped = why;
  }

  /** A fault of the project that ends an attack is a line of the table, too. */
  async guard(what: string, attack: () => Promise<void> | void): Promise<void> {
    try {
      await attack();
    } catch (error) {
      this.add('crashes', `${what}: ${error instanceof Error ? error.stack : error}`);
    }
  }

  /** Counts what was read and is not there as often. */
  expectFigures(read: readonly string[], truth: readonly string[], told: string): void {
    const left = [...truth];
    for (const figure of read) {
      const at = left.indexOf(figure);
      if (at < 0) this.add('wrong figures', `${figure} in\n${told}`);
      else left.splice(at, 1);
    }
  }

  count(fault: Fault): number {
    return this.#counts.get(fault) ?? 0;
  }

  get isClean(): boolean {
    return this.#counts.size === 0;
  }
}

/** The tallies of an attack that has several targets. */
export class Tallies {
  readonly #attack: string;
  readonly #byTarget = new Map<string, Tally>();

  constructor(attack: string) {
    this.#attack = attack;
  }

  of(target: string): Tally {
    const tally = this.#byTarget.get(target) ?? new Tally(`${this.#attack}: ${target}`);
    this.#byTarget.set(target, tally);
    return tally;
  }

  get all(): readonly Tally[] {
    return [...this.#byTarget.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  get attempts(): number {
    return this.all.reduce((sum, { attempts }) => sum + attempts, 0);
  }
}
