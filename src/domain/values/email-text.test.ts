import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createdAtOf, toHeaderText, toUnlinkedName } from './email-text.ts'
import { uuidV7 } from './id.ts'

// biome-ignore format: a table is read by its columns
const rows: [written: string, line: string][] = [
  ['Acme Status',                          'Acme Status'],
  ['Acme\r\nBcc: eve@example.com',         'Acme Bcc: eve@example.com'],
  ['a\nb\rc\u2028d\u2029e\u0085f\0g\u001bh', 'a b c d e f g h'],
  ['  \r\n  ',                             ''],
  ['abc\u202egnp.exe',                     'abc gnp.exe'], // would read right to left
  ['👩‍🔧 Übersicht 状態',                    '👩‍🔧 Übersicht 状態'],
  ['half \ud800 a character',              'half \ufffd a character'],
  ['x'.repeat(200),                        'x'.repeat(200)],
  ['😀'.repeat(201),                       `${'😀'.repeat(199)}…`],
]

for (const [written, line] of rows)
  test(`${JSON.stringify(written.slice(0, 40))} in a header`, () =>
    assert.equal(toHeaderText(written), line))

// biome-ignore format: a table is read by its columns
const names: [written: string, shown: string][] = [
  ['Ana',                                     'Ana'],
  ['Acme Inc.',                               'Acme Inc.'],
  ['J. R. Smith...',                          'J. R. Smith...'],
  ['https://upvane-login.example/',           'https: //upvane-login. example/'],
  ['www.evil.com',                            'www. evil. com'],
  ['evil\u3002com evil\uff0ecom',             'evil\u3002 com evil\uff0e com'],
  ['eve@evil.example',                        'eve@evil. example'],
  ['192.0.2.1',                               '192. 0. 2. 1'],
  ['Your account\r\n\r\nis closed',           'Your account is closed'],
]
for (const [written, shown] of names)
  test(`${JSON.stringify(written)} as a name in a mail nobody asked for`, () =>
    assert.equal(toUnlinkedName(written), shown))

test('a delivery tells when it was made', () => {
  const at = new Date('2026-11-14T12:00:00.123Z')
  const unixMicros = BigInt(at.getTime()) * 1000n + 999n
  const uuid = uuidV7({ unixMicros, sequence: 7, random: new Uint8Array(8) })
  assert.deepEqual(createdAtOf(uuid), at)
})
