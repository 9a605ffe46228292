/** The title of an article as the last part of its address. */
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
