// The languages of pages and emails.

export const LOCALES = ['en', 'de', 'fr', 'es', 'ja'] as const
export type Locale = (typeof LOCALES)[number]

/** The supported language for a tag such as `de-AT`; English if there is none. */
export function toLocale(tag: string): Locale {
  const language = tag.toLowerCase().split('-')[0]
  return LOCALES.find((locale) => locale === language) ?? 'en'
}
