import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { hasIssuer, MAX_ISSUER_LENGTH, toIssuer } from './issuer.ts'
import { MONITOR_TYPES } from './monitor.ts'

// biome-ignore format: a table is read by its columns
const rows: [written: unknown, name: string | null][] = [
  ["Let's Encrypt",                  "Let's Encrypt"],
  ['  DigiCert Inc\r\n',             'DigiCert Inc'],
  ['Acme\r\nBcc: eve@example.com',   'Acme Bcc: eve@example.com'],
  ['a\u0000b\u001b[31mc',            'a b [31mc'],
  ['abc\u202egnp.exe',               'abc gnp.exe'], // would read right to left
  ['<script>hacked=1</script>',      '<script>hacked=1</script>'], // text stays text
  ['株式会社レジストラ',                '株式会社レジストラ'],
  ['half \ud800 a character',        'half \ufffd a character'],
  ['x'.repeat(120),                  'x'.repeat(120)],
  ['😀'.repeat(121),                 `${'😀'.repeat(119)}…`],
  ['x'.repeat(1_000_000),            `${'x'.repeat(119)}…`],
  ['',                               null],
  [' \u0000\n ',                     null],
  [undefined,                        null],
  [null,                             null],
  [7,                                null],
  [['Acme'],                         null],
  [{ toString: 'Acme' },             null],
]
for (const [written, name] of rows)
  test(`${JSON.stringify(written)?.slice(0, 40)} as an issuer`, () =>
    assert.equal(toIssuer(written), name))

test('any text gives a name that the database accepts, and cleaning it again changes nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 1500 }), (written) => {
      const name = toIssuer(written)
      if (name === null) return
      assert.ok([...name].length <= MAX_ISSUER_LENGTH)
      assert.doesNotMatch(name, /\p{Cc}/u)
      assert.ok(name.isWellFormed())
      assert.equal(toIssuer(name), name)
    }),
  )
})

test('only certificates and domains have an issuer', () => {
  assert.deepEqual(MONITOR_TYPES.filter(hasIssuer), ['SSL', 'DOMAIN'])
})
