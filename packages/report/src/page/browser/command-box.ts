import { make } from './element.ts';

/** A command with a button that copies it. */
export function commandBox(command: string): HTMLElement {
  const copy = make('button', { type: 'button', 'data-copy': '' }, 'Copy');
  enableCopy(copy);
  return make('div', { class: 'command' }, make('code', {}, command), copy);
}

/** Makes a button copy the code next to it. */
export function enableCopy(copy: HTMLButtonElement): void {
  copy.addEventListener('click', () => {
    const text = copy.parentElement?.querySelector('code')?.textContent ?? '';
    navigator.clipboard.writeText(text).then(
      () => {
        copy.textContent = 'Copied';
      },
      () => {
        copy.textContent = 'Could not copy: select the text';
      },
    );
  });
}
