import { required } from './element.ts';

/**
 * Shows comparisons in parts: the buttons, and the line that says which part it is.
 * @param size the most at a time
 * @param onTurn draws the part that a reader turned to
 */
export function createPager(size: number, onTurn: () => void) {
  const status = required('#status', Element);
  const buttons = required('#pager', HTMLElement);
  const previous = required('#previous', HTMLButtonElement);
  const next = required('#next', HTMLButtonElement);
  let page = 0;
  const turn = (by: number) => () => {
    page += by;
    onTurn();
  };
  previous.addEventListener('click', turn(-1));
  next.addEventListener('click', turn(1));
  return {
    goTo(index: number): void {
      page = Math.floor(index / size);
    },
    /**
     * Sets the buttons and the line for a part of the chosen comparisons.
     * @param total how many were chosen, of `all`
     * @param part the first index that is shown, and the one after the last. Default: those of the page.
     */
    show(total: number, all: number, part = { start: page * size, end: Math.min(total, (page + 1) * size) }) {
      const { start, end } = part;
      const number = total === all ? `${total}` : `${total} (of ${all})`;
      const chosen = total === 0 ? 'No comparison matches' : `${number} comparison${total === 1 ? '' : 's'}`;
      status.textContent = end - start < total ? `${start + 1} to ${end} of ${number} comparisons` : chosen;
      buttons.hidden = total <= size;
      previous.disabled = start === 0;
      next.disabled = end === total;
      return part;
    },
  };
}
