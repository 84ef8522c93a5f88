import assert from 'node:assert/strict'
import { test } from 'node:test'
import { comparable, parseEmailAddress } from './email-address.ts'

// biome-ignore format: a table is read by its columns
const rows: [typed: string, address: string | undefined][] = [
  ['ana@example.com',                  'ana@example.com'],
  ['  ana@example.com\n',              'ana@example.com'], // a form sends what was pasted
  ['Ana.Kovač@example.com',            undefined], // needs SMTPUTF8, which many relays lack
  ['Ana.Kovac+status@Example.COM',     'Ana.Kovac+status@example.com'],
  ["o'brien@example.co.uk",            "o'brien@example.co.uk"],
  ['x@bücher.example',                 'x@xn--bcher-kva.example'],
  ['x@例え.テスト',                     'x@xn--r8jz45g.xn--zckzah'],
  ['ana@example',                      undefined],
  ['ana@127.0.0.1',                    undefined],
  ['ana@2130706433',                   undefined], // an address in disguise
  ['ana@[127.0.0.1]',                  undefined],
  ['ana@-example.com',                 undefined],
  ['ana@example..com',                 undefined],
  ['ana@example.com.',                 undefined],
  ['@example.com',                     undefined],
  ['ana',                              undefined],
  ['',                                 undefined],
  ['a b@example.com',                  undefined],
  ['ana@exam ple.com',                 undefined],
  ['.ana@example.com',                 undefined],
  ['a..b@example.com',                 undefined],
  ['"ana"@example.com',                undefined],
  ['Ana <ana@example.com>',            undefined],
  ['ana@example.com,eve@example.com',  undefined],
  ['ana@example.com;eve@example.com',  undefined],
  ['ana@eve.example@example.com',      undefined],
  ['ana%eve.example@example.com',      undefined], // old relays read it as a route
  ['eve!ana@example.com',              undefined],
  ['ana@example.com\r\nBcc: eve@x.y',  undefined],
  ['ana\r\nBcc: eve@x.y@example.com',  undefined],
  ['ana\0@example.com',                undefined],
  ['ana@example.com/path',             undefined],
  ['ana@example.com:25',               undefined],
  ['ana@user:pass@example.com',        undefined],
  [`${'a'.repeat(64)}@example.com`,    `${'a'.repeat(64)}@example.com`],
  [`${'a'.repeat(65)}@example.com`,    undefined],
  [`a@${'b.'.repeat(125)}com`,         undefined],
]

for (const [typed, address] of rows)
  test(`${JSON.stringify(typed.slice(0, 60))} -> ${address ?? 'refused'}`, () =>
    assert.equal(parseEmailAddress(typed), address))

test('the same mailbox in other letters is the same', () => {
  assert.equal(comparable('Ana@example.com'), comparable('aNA@example.com'))
})
