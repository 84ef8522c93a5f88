// Names that people choose for themselves, their organizations and contacts. They stand in emails and lists of others, so
// they are one line that reads in one direction.
import Type from 'typebox'

// Control characters, line and paragraph separators, and marks that turn around what follows.
const ONE_LINE = '^[^\\p{Cc}\\p{Zl}\\p{Zp}\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]*$'

export const displayName = Type.String({ minLength: 1, maxLength: 120, pattern: ONE_LINE })
