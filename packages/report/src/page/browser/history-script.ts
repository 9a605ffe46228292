/** The script of the page of a history: shows the charts whose names have the words of the search. */
const search = document.querySelector<HTMLInputElement>('#search');
const status = document.querySelector('#status');
const figures = [...document.querySelectorAll<HTMLElement>('.series figure')];

search?.addEventListener('input', () => {
  const words = search.value.toLowerCase().split(/\s+/);
  for (const figure of figures) {
    const name = figure.querySelector('figcaption')?.textContent.toLowerCase() ?? '';
    figure.hidden = !words.every((word) => name.includes(word));
  }
  const folded = document.querySelector<HTMLDetailsElement>('.folded');
  if (folded !== null && search.value !== '') folded.open = true;
  if (status !== null)
    status.textContent = `${figures.filter(({ hidden }) => !hidden).length} of ${figures.length} charts`;
});
