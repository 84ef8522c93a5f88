// The catalogs of what the service writes: emails, alerts, and remedies for operators. A language is a folder beside `en`
// with the same files, and a row of TRANSLATIONS.
import * as accountEmails from './en/account-emails.ts'
import * as alertEmails from './en/alert-emails.ts'
import * as operatorEmails from './en/operator-emails.ts'
import type { Language } from './message.ts'
import { toPseudo } from './pseudo.ts'
import { completed, type Texts, textsOf } from './texts.ts'

const ENGLISH = 'en'
/** Only for tests: every message has accents, is in brackets, and two fifths longer. */
const PSEUDO = 'en-XA'

const CATALOGS = { ...accountEmails, ...alertEmails, ...operatorEmails }
type Catalogs = typeof CATALOGS

const TRANSLATIONS: Readonly<Record<string, (english: Catalogs) => unknown>> = {
  [ENGLISH]: (english) => english,
  [PSEUDO]: toPseudo,
}

/** The texts in a language, in English if there is no translation. `join` makes one element of text and elements. */
export function serviceTexts<Node>(
  language: string,
  join: Language<Node>['join'],
): Texts<Catalogs, Node> {
  const translate = TRANSLATIONS[language] ?? TRANSLATIONS[ENGLISH]
  const numbers = new Intl.NumberFormat(language, { useGrouping: false })
  return textsOf(completed(CATALOGS, translate?.(CATALOGS)), {
    formatCount: (count) => numbers.format(count),
    plurals: new Intl.PluralRules(language),
    join,
  })
}
