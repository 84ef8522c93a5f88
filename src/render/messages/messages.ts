// The text of status pages and of the emails to their subscribers. A language is one file.
import type { Locale } from '../../domain/values/locale.ts'
import { DE } from './de.ts'
import { EN } from './en.ts'
import { ES } from './es.ts'
import { FR } from './fr.ts'
import { JA } from './ja.ts'
import type { Messages } from './shape.ts'

const BY_LOCALE: Readonly<Record<Locale, Messages>> = { en: EN, de: DE, fr: FR, es: ES, ja: JA }

export function messagesOf(locale: Locale): Messages {
  return BY_LOCALE[locale]
}
