import { required } from './element.ts';

/** Shows a long list in parts: its buttons, and the line that says which part it is. */
export class Pager {
  readonly #size: number;
  readonly #noun: string;
  readonly #status = required('#status', Element);
  readonly #buttons = required('#pager', HTMLElement);
  readonly #previous = required('#previous', HTMLButtonElement);
  readonly #next = required('#next', HTMLButtonElement);
  #page = 0;

  /**
   * @param size the most items at a time
   * @param noun what the items are, in the singular
   * @param onTurn draws the part that a reader turned to
   */
  constructor(size: number, noun: string, onTurn: () => void) {
    this.#size = size;
    this.#noun = noun;
    const turn = (by: number) => () => {
      this.#page += by;
      onTurn();
    };
    this.#previous.addEventListener('click', turn(-1));
    this.#next.addEventListener('click', turn(1));
  }

  goTo(index: number): void {
    this.#page = Math.floor(index / this.#size);
  }

  /**
   * Sets the buttons and the line for a part of the chosen items.
   * @param total how many items were chosen, of `all`
   * @param part the first index that is shown, and the one after the last. Default: those of the page.
   */
  show(total: number, all: number, part = this.#part(total)) {
    const { start, end } = part;
    const number = total === all ? `${total}` : `${total} (of ${all})`;
    const chosen =
      total === 0 ? `No ${this.#noun} matches` : `${number} ${this.#noun}${total === 1 ? '' : 's'}`;
    this.#status.textContent =
      end - start < total ? `${start + 1} to ${end} of ${number} ${this.#noun}s` : chosen;
    this.#buttons.hidden = total <= this.#size;
    this.#previous.disabled = start === 0;
    this.#next.disabled = end === total;
    return part;
  }

  #part(total: number) {
    const start = this.#page * this.#size;
    return { start, end: Math.min(total, start + this.#size) };
  }
}
