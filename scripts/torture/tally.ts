/** What must be 0 for each kind of attack. */
export const faults = [
  'lost',
  'double',
  'orphans',
  'hangs',
  'stack traces',
  'wrong exit codes',
  'wrong rates',
  'crashes',
] as const;
export type Fault = (typeof faults)[number];

/** Counts the faults of one kind of attack, and keeps the details of the first ones. */
export class Tally {
  readonly name: string;
  attempts = 0;
  readonly #counts = new Map<Fault, number>();
  readonly details: string[] = [];

  constructor(name: string) {
    this.name = name;
  }

  add(fault: Fault, detail: string): void {
    this.#counts.set(fault, this.count(fault) + 1);
    if (this.details.length < 10) this.details.push(`${this.name}: ${fault}: ${detail.slice(0, 1000)}`);
  }

  /** A fault of the project that ends an attack is a line of the table, too. */
  async guard(what: string, attack: () => Promise<void> | void): Promise<void> {
    try {
      await attack();
    } catch (error) {
      this.add('crashes', `${what}: ${error instanceof Error ? error.stack : error}`);
    }
  }

  count(fault: Fault): number {
    return this.#counts.get(fault) ?? 0;
  }

  get isClean(): boolean {
    return this.#counts.size === 0;
  }
}
