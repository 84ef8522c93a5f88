// Names that people choose for themselves, their organizations and contacts. Other people see them in emails and lists,
// so they are a single line that reads in one direction.
import { Type } from '../type.ts'

// Control characters, line and paragraph separators, and direction marks.
const ONE_LINE = '^[^\\p{Cc}\\p{Zl}\\p{Zp}\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]*$'

export const displayName = Type.String({ minLength: 1, maxLength: 120, pattern: ONE_LINE })
