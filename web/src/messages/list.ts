// Names as one value of a sentence, written as in the language of this tab.
import { LANGUAGE } from './language.ts'

const formats = {
  /** `a, b` */
  plain: new Intl.ListFormat(LANGUAGE, { type: 'unit', style: 'short' }),
  /** `a and b` */
  and: new Intl.ListFormat(LANGUAGE, { type: 'conjunction' }),
  /** `a or b` */
  or: new Intl.ListFormat(LANGUAGE, { type: 'disjunction' }),
}

export const listOf = (names: readonly string[], kind: keyof typeof formats = 'plain'): string =>
  formats[kind].format(names)
