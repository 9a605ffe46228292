import { html } from 'ghtml';
import type { FunctionNotice } from '../noticed-functions.ts';
import { originText } from '../session-facts.ts';
import { functionColumns, functionSentences } from '../table/function-table.ts';
import { footer, renderDocument } from './document.ts';
import { figureTable } from './metric-section.ts';
import { STYLE } from './style.ts';

/** Renders one HTML page of the functions of a project, with the change from which benchmarks notice each. */
export function renderFunctionsPage(notice: FunctionNotice): string {
  const title = 'Functions that the benchmarks notice';
  const [name, ...others] = functionColumns;
  const rows = notice.functions.map((row, at) => {
    // A phone has no room for the titles above.
    const cells = others.map(
      ({ title, cell }) => html`<td role="cell" data-title="${title}">${cell(row, at)}</td>`,
    );
    return html`<tr role="row"><th scope="row" role="rowheader">${name?.cell(row, at)}</th>!${cells}</tr>`;
  });
  const titles = functionColumns.map((column) => column.title);
  const body = html`<main>
<header><h1>${title}</h1></header>
!${functionSentences(notice).map((each) => html`<p>${each}</p>`)}
!${rows.length === 0 ? '' : figureTable(titles, titles.length, rows)}
!${footer(originText(notice.recordings))}
</main>`;
  return renderDocument({ title, style: STYLE, body });
}
