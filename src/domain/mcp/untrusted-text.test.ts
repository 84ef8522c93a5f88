import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { toUntrusted } from './untrusted-text.ts'

// biome-ignore format: a table is read by its columns
const rows: [given: string | null, shown: string | null][] = [
  [null, null],
  ['', ''],
  ['Shop', 'Shop'],
  ['Bücher 📚', 'Bücher 📚'],
  ['a\r\nb\tc', 'a  b c'],
  ['\u001b[31mred\u0007', ' [31mred '],
  ['un\u200bseen\ufeff', 'unseen'],
  ['right\u202eleft', 'rightleft'],
  ['tags\u{e0049}\u{e0067}', 'tags'],
  ['a\u2028b', 'a b'],
  ['x'.repeat(1000), 'x'.repeat(1000)],
  ['x'.repeat(1001), `${'x'.repeat(1000)}… [cut]`],
  ['é'.repeat(501), `${'é'.repeat(500)}… [cut]`],
]
for (const [given, shown] of rows)
  test(`toUntrusted: ${JSON.stringify(given)?.slice(0, 40)}`, () => {
    assert.equal(toUntrusted(given), shown)
  })

test('toUntrusted: no text of any kind becomes longer than a kilobyte, or keeps a control character', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 3000 }), (text) => {
      const shown = toUntrusted(text) ?? ''
      assert.ok(Buffer.byteLength(shown) <= 1_000 + Buffer.byteLength('… [cut]'))
      for (const character of shown) {
        const code = character.codePointAt(0) ?? 0
        assert.ok(code > 0x1f && (code < 0x7f || code > 0x9f), `U+${code.toString(16)}`)
      }
    }),
  )
})
