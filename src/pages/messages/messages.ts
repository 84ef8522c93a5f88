// The text of the pages, in every supported language.
import type { Locale } from '../../domain/values/locale.ts'
import { DE } from './de.ts'
import { EN } from './en.ts'
import { ES } from './es.ts'
import { FR } from './fr.ts'
import { JA } from './ja.ts'
import type { PageMessages } from './shape.ts'

const BY_LOCALE: Readonly<Record<Locale, PageMessages>> = { en: EN, de: DE, fr: FR, es: ES, ja: JA }

export function messagesOf(locale: Locale): PageMessages {
  return BY_LOCALE[locale]
}
