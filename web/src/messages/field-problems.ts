// Turns the API's problem of a field into a sentence of the form. A form has one table with a row for each of its fields.

/** Which rule of the contract was broken, as far as its message shows. */
type Rule = 'empty' | 'short' | 'long' | 'low' | 'high' | 'other'

type FieldRow = Readonly<Partial<Record<Rule, string>>> & {
  /** By the API's own words, where a field has rules of its own. */
  readonly says?: Readonly<Record<string, string>>
}

/** By the path of the field. `other` is for every rule without a sentence; without it, the API's words are shown. */
export type FieldSentences = Readonly<Record<string, FieldRow>>

export function toSentence(row: FieldRow | undefined, message: string): string {
  const own = row?.says?.[message] ?? row?.[ruleOf(message)] ?? row?.other
  return own ?? asSentence(message)
}

/** `message` is written to follow a field's name: "must not be empty". */
function ruleOf(message: string): Rule {
  if (message.includes('is required')) return 'empty'
  if (message === 'must not be empty' || message === 'must have at least 1 item(s)') return 'empty'
  if (message.startsWith('must have at least')) return 'short'
  if (message.startsWith('must have at most')) return 'long'
  if (message.endsWith('or more')) return 'low'
  return message.endsWith('or less') ? 'high' : 'other'
}

function asSentence(message: string): string {
  const text = message.charAt(0).toUpperCase() + message.slice(1)
  return /[.!?]$/.test(text) ? text : `${text}.`
}
