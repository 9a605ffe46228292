/** A function in its stack, with the time of all functions that it calls. */
export interface FlameFrame {
  /** Empty for the operation as a whole. */
  readonly name: string;
  /** Nanoseconds per operation, a mean over all profiles. */
  readonly old: number;
  readonly new: number;
  readonly calls: readonly FlameFrame[];
}

/** Frames with a smaller share of both operations together are left out. */
const LEAST_SHARE = 0.003;
/** Recursive functions could be nested without a limit. */
const DEEPEST = 60;

type Stacks = readonly ReadonlyMap<string, number>[];

/**
 * Joins the stacks of the profiles of two subjects. Stacks with equal functions are the same.
 * @param stacks for each profile, the nanoseconds per operation in the last function of each stack; a key is a JSON array of the
 *   functions, the outermost first
 */
export function flameOf(stacks: { readonly old: Stacks; readonly new: Stacks }): FlameFrame {
  const root = new Frame('');
  for (const side of ['old', 'new'] as const) {
    for (const profile of stacks[side]) {
      for (const [key, ns] of profile) {
        const names: readonly string[] = JSON.parse(key);
        root.add(names.slice(0, DEEPEST), side, ns / stacks[side].length);
      }
    }
  }
  return root.pruned((root.old + root.new) * LEAST_SHARE);
}

class Frame {
  readonly #name: string;
  readonly #calls = new Map<string, Frame>();
  old = 0;
  new = 0;

  constructor(name: string) {
    this.#name = name;
  }

  add([name, ...inner]: readonly string[], side: 'old' | 'new', ns: number): void {
    this[side] += ns;
    if (name === undefined) return;
    const call = this.#calls.get(name) ?? new Frame(name);
    this.#calls.set(name, call);
    call.add(inner, side, ns);
  }

  pruned(least: number): FlameFrame {
    const calls = [...this.#calls.values()]
      .filter((call) => call.old + call.new >= least)
      .sort((a, b) => b.old + b.new - a.old - a.new);
    return { name: this.#name, old: this.old, new: this.new, calls: calls.map((call) => call.pruned(least)) };
  }
}
