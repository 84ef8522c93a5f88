// The languages pages and mails are written in.

export const LOCALES = ['en', 'de', 'fr', 'es', 'ja'] as const
export type Locale = (typeof LOCALES)[number]

/** The shipped language that a tag such as `de-AT` asks for; English when there is none. */
export function toLocale(tag: string): Locale {
  const language = tag.toLowerCase().split('-')[0]
  return LOCALES.find((locale) => locale === language) ?? 'en'
}
