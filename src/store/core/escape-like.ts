/** The text as a part of a LIKE pattern that matches it literally. */
export function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, '\\$&')
}
