import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matchLabel, toParts } from './match.ts'

/** Matched letters in brackets. */
const marked = (label: string, text: string): string | undefined => {
  const match = matchLabel(label, text)
  return (
    match &&
    toParts(label, match.spans)
      .map((part) => (part.isMatch ? `[${part.text}]` : part.text))
      .join('')
  )
}

// biome-ignore format: a table is read by its columns
const cases: [label: string, text: string, shown: string | undefined, rank: number | undefined][] = [
  ['Checkout',            'che',        '[Che]ckout',              0],
  ['Checkout',            ' CHE ',      '[Che]ckout',              0],
  ['Redis cache',         'ca',         'Redis [ca]che',           1],
  ['Redis cache',         'che',        'Redis ca[che]',           2],
  ['Rechenzentrum: Che',  'che',        'Rechenzentrum: [Che]',    1],
  ['api-checkout',        'check',      'api-[check]out',          1],
  ['api2checkout',        'check',      'api2[check]out',          2],
  ['Pause Checkout',      'pause che',  '[Pause Che]ckout',        0],
  ['Pause the Checkout',  'pause che',  '[Pause] the [Che]ckout',  3],
  ['Pause Checkout',      'out pause',  '[Pause] Check[out]',      3],
  ['Pause Checkout',      'pau paus',   '[Paus]e Checkout',        3],
  ['Checkout',            'checkpoint', undefined,                 undefined],
  ['Checkout',            'check api',  undefined,                 undefined],
  ['Checkout',            '',           'Checkout',                0],
  ['İstanbul shop',       'shop',       'İstanbul [shop]',         1],
  ['Größe',               'GRÖ',        '[Grö]ße',                 0],
  ['a.*b',                '.*',         'a[.*]b',                  2],
]
for (const [label, text, shown, rank] of cases)
  test(`palette: “${text}” in “${label}”`, () => {
    assert.equal(marked(label, text), shown)
    assert.equal(matchLabel(label, text)?.rank, rank)
  })
