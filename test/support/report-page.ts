const characters: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ' };

/** What can be read on a page without JavaScript, one line for each element. */
export function pageText(html: string): string {
  const text = html
    .replace(/<(style|script)\b.*?<\/\1>/gs, '')
    .replace(/\s+/g, ' ')
    .replace(/<\/?(strong|span|code)\b[^>]*>/g, '')
    .replace(/<[^>]*>/g, '\n')
    .replace(/\s*\n\s*/g, '\n')
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replace(/&(\w+);/g, (entity, name: string) => characters[name] ?? entity);
  return `${text.trim()}\n`;
}

/** The data of a page, from which its script makes the table and the picture. */
export function pageData(html: string) {
  const [, data = ''] = /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(html) ?? [];
  return JSON.parse(data);
}
