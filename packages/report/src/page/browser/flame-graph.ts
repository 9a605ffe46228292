interface Frame {
  readonly element: SVGElement;
  readonly depth: number;
  /** From 0 to 100, per cent of the whole graph. */
  readonly left: number;
  readonly width: number;
}

/** Lets readers visit the frames of the flame graphs with the arrow keys, and enlarge them. */
export function enableFlameGraphs(): void {
  for (const graph of document.querySelectorAll('[data-flame]')) enable(graph);
}

function enable(graph: Element): void {
  const status = graph.querySelector('[role=status]');
  const frames = [...graph.querySelectorAll<SVGElement>('.frame')].map((element): Frame => {
    const number = (name: string) => Number.parseFloat(element.getAttribute(name) ?? '0');
    return { element, depth: number('data-depth'), left: number('x'), width: number('width') };
  });
  const [root] = frames;
  if (root === undefined) return;
  const describe = ({ element }: Frame) => {
    if (status) status.textContent = element.getAttribute('aria-label');
  };
  const enlarge = (chosen: Frame) => {
    for (const frame of frames) {
      const isAbove = frame.depth < chosen.depth && contains(frame, chosen);
      const left = isAbove ? 0 : ((frame.left - chosen.left) / chosen.width) * 100;
      const width = isAbove ? 100 : (frame.width / chosen.width) * 100;
      frame.element.setAttribute('x', `${left}%`);
      frame.element.setAttribute('width', `${width}%`);
      frame.element.toggleAttribute('hidden', !isAbove && !contains(chosen, frame));
    }
    describe(chosen);
  };
  for (const frame of frames) {
    frame.element.addEventListener('click', () => enlarge(frame));
    frame.element.addEventListener('focus', () => describe(frame));
    frame.element.addEventListener('keydown', (event) => {
      const shown = frames.filter(({ element }) => !element.hasAttribute('hidden'));
      const row = shown.filter(({ depth }) => depth === frame.depth);
      const at = row.indexOf(frame);
      const visit = (to: Frame | undefined) => {
        if (to === undefined) return;
        frame.element.setAttribute('tabindex', '-1');
        to.element.setAttribute('tabindex', '0');
        to.element.focus();
      };
      const actions = new Map([
        ['ArrowDown', () => visit(shown.find((it) => it.depth > frame.depth && contains(frame, it)))],
        ['ArrowUp', () => visit(shown.findLast((it) => it.depth < frame.depth && contains(it, frame)))],
        ['ArrowLeft', () => visit(row[at - 1])],
        ['ArrowRight', () => visit(row[at + 1])],
        ['Enter', () => enlarge(frame)],
        [' ', () => enlarge(frame)],
        ['Escape', () => enlarge(root)],
      ]);
      const action = actions.get(event.key);
      if (action === undefined) return;
      action();
      event.preventDefault();
    });
  }
}

/** Whether a frame stands below another one, or is it. The places are rounded. */
function contains(outer: Frame, inner: Frame): boolean {
  const rounding = 0.002;
  return (
    inner.depth >= outer.depth &&
    inner.left >= outer.left - rounding &&
    inner.left + inner.width <= outer.left + outer.width + rounding
  );
}
