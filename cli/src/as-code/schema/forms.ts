// What the patterns of the schema mean, for people.

// By a part that only this pattern has.
const FORMS: readonly [part: string, text: string][] = [
  ['._/@:-', 'must be 1 to 100 letters, digits and ._/@:- and start with a letter or digit'],
  ['{1,30}\\.', 'must be an address such as monitors.checkout'],
  ['_-]{0,63}$', 'must be 1 to 64 letters, digits, _ and - and start with a letter or digit'],
  ['{2}-[1-5]', 'must be a status code, or a range such as 200-206'],
  [':[0-5][0-9]', 'must be a time such as 22:30'],
  ['#[0-9a-fA-F]', 'must be a color such as #5443d2'],
  ['[Hh][Tt][Tt][Pp]', 'must be an http or https address'],
  ['[.])+', 'must be a hostname'],
  ['[a-z0-9-]*', 'must be lowercase letters, digits and -'],
  ['\\p{Cc}', 'must not have characters that cannot be seen'],
]

export function describePattern(pattern: string): string | undefined {
  return FORMS.find(([part]) => pattern.includes(part))?.[1]
}
