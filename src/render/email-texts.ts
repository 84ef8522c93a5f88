// The texts of emails in a language, with markup between words.
import { serviceTexts } from '../domain/messages/catalogs.ts'
import { type Html, html } from './html.ts'

const createTexts = (language: string) =>
  serviceTexts<Html>(language, (pieces) => html`${pieces as (Html | string)[]}`)

const kept = new Map<string, ReturnType<typeof createTexts>>()

/** Languages are those of catalogs, so they are few. */
export function emailTexts(language: string): ReturnType<typeof createTexts> {
  const texts = kept.get(language) ?? createTexts(language)
  kept.set(language, texts)
  return texts
}
