// Text that people wrote, on its way into a mail.

const MAX_CHARACTERS = 200
// Line breaks would begin a header of their own; marks of direction would turn around what stands behind them.
const UNFIT = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu

/** One line: in plain text a line break in a name would begin a paragraph that looks like ours. */
export function toLine(text: string): string {
  return text.toWellFormed().replace(UNFIT, ' ').replace(/ {2,}/g, ' ').trim()
}

// A dot, also of other scripts, with something behind it; and what stands in front of a host.
const LINK_SIGN = /[.\u3002\uff0e\uff61](?=[^\s.])|:(?=\/)/gu

/** A name in a mail that its recipient did not ask for: one line in which no mail program finds a link. */
export function toUnlinkedName(text: string): string {
  return toHeaderText(toLine(text).replace(LINK_SIGN, '$& '))
}

export function toHeaderText(text: string): string {
  const line = toLine(text)
  const characters = [...line]
  return characters.length <= MAX_CHARACTERS
    ? line
    : `${characters.slice(0, MAX_CHARACTERS - 1).join('')}…`
}

const MILLIS_HEX_DIGITS = 12

/** A UUIDv7 says when it was made: a mail has the same date however often it is sent. */
export function createdAtOf(uuid: string): Date {
  return new Date(Number.parseInt(uuid.replaceAll('-', '').slice(0, MILLIS_HEX_DIGITS), 16))
}
