// Prepares text that people wrote for use in an email.

const MAX_CHARACTERS = 200
// Line breaks would start a new header; direction marks would reverse the text that follows.
const UNFIT = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu

/** A single line: in plain text, a line break in a name could start a paragraph that looks like ours. */
export function toLine(text: string): string {
  return text.toWellFormed().replace(UNFIT, ' ').replace(/ {2,}/g, ' ').trim()
}

// A dot, in any script, with something after it; and a colon before a slash.
const LINK_SIGN = /[.\u3002\uff0e\uff61](?=[^\s.])|:(?=\/)/gu

/** A name in an email that its recipient did not request: one line in which no email client detects a link. */
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

/** A UUIDv7 contains its creation time, so an email has the same date however often it is sent. */
export function createdAtOf(uuid: string): Date {
  return new Date(Number.parseInt(uuid.replaceAll('-', '').slice(0, MILLIS_HEX_DIGITS), 16))
}
