import { html } from 'ghtml';

/** An option, or a number with its unit. */
const together =
  /((?<![\w-])--[a-z][\w-]*|[−+±]?\d[\d.,]* (?:%|[nµm]?s|[kMG]?B|[kMG]iB|ops\/s|times|runs?)(?!\w))/;

/** A text as HTML that keeps options, such as `--fail-on`, and numbers with units on one line. */
export function unbroken(text: string): string {
  const parts = text.split(together).map((part, at) => {
    return at % 2 === 0 ? html`${part}` : html`<span class="word">${part}</span>`;
  });
  return parts.join('');
}

export function commandText(command: string): string {
  return html`<div class="command"><code>!${unbroken(command)}</code><button type="button" data-copy>Copy</button></div>`;
}
