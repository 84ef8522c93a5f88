import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { clean, toSafeJson } from './text.ts'

const OBEYED = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u

// What a hostile service, or a person with write access, could put into a name.
// biome-ignore format: a table is read by its columns
const planted: [what: string, text: string, shown: string][] = [
  ['clears the screen',    'a\u001b[2Jb',                   'a\uFFFD[2Jb'],
  ['sets the title',       '\u001b]0;owned\u0007',          '\uFFFD]0;owned\uFFFD'],
  ['writes the clipboard', '\u001b]52;c;cm0gLXJm\u001b\\',  '\uFFFD]52;c;cm0gLXJm\uFFFD\\'],
  ['is a link',            '\u001b]8;;http://x\u001b\\y',   '\uFFFD]8;;http://x\uFFFD\\y'],
  ['eight-bit CSI',        '\u009b31mred',                  '\uFFFD31mred'],
  ['overwrites the line',  'good\rbad',                     'good\uFFFDbad'],
  ['starts a new line',    'a\nupv: all good',              'a\uFFFDupv: all good'],
  ['turns text around',    'a\u202egnp.exe',                'a\uFFFDgnp.exe'],
  ['hides text',           'a\u200b\u2066b',                'a\uFFFD\uFFFDb'],
  ['line separator',       'a\u2028b\u2029c',               'a\uFFFDb\uFFFDc'],
  ['tag characters',       'a\u{e0041}b',                   'a\uFFFDb'],
  ['backspaces',           'safe\b\b\b\bevil',              'safe\uFFFD\uFFFD\uFFFD\uFFFDevil'],
]
for (const [what, text, shown] of planted)
  test(`${what}: shown harmlessly, and kept in JSON`, () => {
    assert.equal(clean(text), shown)
    const json = toSafeJson({ name: text }, 'compact')
    assert.doesNotMatch(json, OBEYED)
    assert.deepEqual(JSON.parse(json), { name: text })
  })

test('any JSON means the same, and has nothing that a terminal obeys but its own line ends', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
      const text = toSafeJson(value)
      assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(value)))
      assert.doesNotMatch(text.replaceAll('\n', ''), OBEYED)
    }),
  )
})
