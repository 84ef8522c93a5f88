import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AsciiUnescaper } from './ascii-unescaper.ts'

const TEXTS: [text: string, plain: string][] = [
  [String.raw`{"\u0061":"\u0041\u007e\u0020"}`, '{"a":"A~ "}'],
  [String.raw`"\u004a\u004A"`, '"JJ"'],
  // What has to be escaped, and what is not ASCII, stays.
  [
    String.raw`"\u0022\u005c\u0000\u007f\u00e9\ud83d\ude00\n\""`,
    String.raw`"\u0022\u005c\u0000\u007f\u00e9\ud83d\ude00\n\""`,
  ],
  [String.raw`"\\u0061\\\u0061"`, String.raw`"\\u0061\\a"`],
  ['"é😀"', '"é😀"'],
  // Not JSON: nothing becomes valid.
  [String.raw`{\u0061:1}`, String.raw`{\u0061:1}`],
  [String.raw`"\u00g1\u0g61\u006"`, String.raw`"\u00g1\u0g61\u006"`],
  [String.raw`"ends in \u00`, String.raw`"ends in \u00`],
  [`"ends in ${'\\'}`, `"ends in ${'\\'}`],
]

for (const [text, plain] of TEXTS)
  test(`${text}, in pieces of every size`, () => {
    const bytes = Buffer.from(text)
    for (let size = 1; size <= bytes.length; size++) {
      const unescaper = new AsciiUnescaper()
      const pieces: Buffer[] = []
      for (let at = 0; at < bytes.length; at += size)
        pieces.push(unescaper.add(bytes.subarray(at, at + size)))
      assert.equal(Buffer.concat([...pieces, unescaper.end()]).toString(), plain, `${size}`)
    }
  })

test('a quote that closes the text within the last six bytes is seen', () => {
  const unescaper = new AsciiUnescaper()
  const parts = [String.raw`{"a":"\n"`, String.raw`,"b":"\u0062"}`].map((part) =>
    unescaper.add(Buffer.from(part)),
  )
  const whole = Buffer.concat([...parts, unescaper.end()]).toString()
  assert.deepEqual(JSON.parse(whole), { a: '\n', b: 'b' })
})
