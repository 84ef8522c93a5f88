// Converts text to safe HTML for the reference. All text on the page passes through here.
import { escapeHtml } from '../../render/html.ts'

/** A sentence with `code` in backticks. */
export const prose = (text: string): string =>
  escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>')

export const slug = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

// A string with the colon that makes it a key; any other string; a literal; a number.
const TOKEN =
  /("(?:[^"\\]|\\.)*")(\s*:)|("(?:[^"\\]|\\.)*")|\b(true|false|null)\b|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/g

/** JSON with its parts colored. */
export function highlightJson(json: string): string {
  let html = ''
  let end = 0
  for (const match of json.matchAll(TOKEN)) {
    html += escapeHtml(json.slice(end, match.index)) + token(match)
    end = match.index + match[0].length
  }
  return html + escapeHtml(json.slice(end))
}

function token([whole, key, colon, text, literal]: RegExpExecArray): string {
  if (key !== undefined) return `<i class="k">${escapeHtml(key)}</i>${escapeHtml(colon ?? '')}`
  const kind = text === undefined ? (literal === undefined ? 'n' : 'l') : 's'
  return `<i class="${kind}">${escapeHtml(whole)}</i>`
}

/** Highlights `curl` and the one-letter flags of a shell command. */
export function highlightShell(command: string): string {
  return escapeHtml(command)
    .replace(/^curl\b/gm, '<i class="k">curl</i>')
    .replace(/(^|\s)(-[A-Za-z])(?=\s)/g, '$1<i class="l">$2</i>')
}
