// What shell scripts say when something is wrong: `fail '…'`, `say 'WARNING: …'`, `echo '…' >&2`, and `${1:?…}`.

const SUBSTITUTION = String.raw`\$\([^()\n]*\)`
const STRING = String.raw`(?:'([^'\n]*)'|"((?:${SUBSTITUTION}|[^"\n])*)")`
const SAID = [
  new RegExp(String.raw`\bfail ${STRING}`, 'g'),
  new RegExp(String.raw`\bsay ${STRING.replace('(?:', '(?=.WARNING)(?:')}`, 'g'),
  new RegExp(String.raw`\becho ${STRING} >&2`, 'g'),
]
const VALUE = new RegExp(String.raw`${SUBSTITUTION}|\$[A-Za-z_0-9*@]+`, 'g')
const NEEDED = /\$\{[0-9]:\?([^}\n]+)\}/g
const TWO_WORDS = /[A-Za-z]{2}\S* [A-Za-z-]/

export function scriptMessages(source: string): string[] {
  const said = SAID.flatMap((pattern) => [...source.matchAll(pattern)])
    .map(([, literal, template = '']) => literal ?? template.replaceAll(VALUE, '…'))
    .filter((text) => TWO_WORDS.test(text))
  const needed = [...source.matchAll(NEEDED)].map(([, text = '']) => text)
  return [...new Set([...said, ...needed])]
}
