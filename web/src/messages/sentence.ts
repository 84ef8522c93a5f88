/** Inside a sentence: "Connection refused" starts small, "HTTP 503" does not. */
export function lowerFirst(text: string): string {
  const [first = '', second = ''] = text
  return second === second.toLowerCase() ? first.toLowerCase() + text.slice(1) : text
}
