/** Converts the title of an article to the last segment of its URL. */
export function slug(title: string): string {
  return title
    .toLowerCase()
    .split('')
    .map((character) => (/[a-z0-9]/.test(character) ? character : '-'))
    .join('')
    .split('-')
    .filter((word) => word !== '')
    .join('-');
}
