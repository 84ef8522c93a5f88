import { area } from '../area.ts'
import * as english from '../en/connections/contacts.ts'
import type { FieldSentences } from '../field-problems.ts'
import { URL_SAYS } from './urls.ts'

const texts = area(english)
export const { contactsText, contactDetailText, contactFormText } = texts

/** Settings of channels with the same rules: a secret word, and a number of a phone. */
const WORDS = [
  'topic',
  'token',
  'botToken',
  'chatId',
  'apiKey',
  'accessToken',
  'authToken',
  'urls',
  'appToken',
  'userKey',
] as const
const PHONES = ['number', 'recipient', 'from', 'to'] as const

export const contactSentences: FieldSentences = contactRows()

function contactRows(): FieldSentences {
  const own: FieldSentences = texts.contactSentences
  const { again, printable, long, phone, phoneOrGroup } = texts.contactSays
  const againSays = {
    'must be given again, because the address leads to another server': again,
  }
  const wordSays = { ...againSays, 'must be letters, digits and signs': printable }
  const phoneSays = {
    'must be a number with its country code, such as +14155550100': phone,
    'must be a number with its country code, or a group id': phoneOrGroup,
  }
  const rowsOf = (names: readonly string[], says: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      names.map((name) => [`settings.${name}`, { ...own[`settings.${name}`], says, other: long }]),
    )
  return {
    ...own,
    ...rowsOf(WORDS, wordSays),
    ...rowsOf(PHONES, phoneSays),
    ...rowsOf(['url'], { ...URL_SAYS, ...againSays }),
    ...rowsOf(['server'], URL_SAYS),
    'settings.headers': { says: againSays },
    'settings.secret': { ...own['settings.secret'], says: againSays },
  }
}
