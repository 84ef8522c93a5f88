import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { after, test } from 'node:test'
import {
  brotliCompressSync,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib'
import { httpTarget, openAttemptFixture } from '../../test/kit/targets/attempt-fixture.ts'
import { listen } from '../../test/kit/targets/listen.ts'
import type { KeywordTarget } from './keyword.ts'

type Page = { headers?: Record<string, string>; body: Buffer | string; pieces?: number }

const MIB = 1024 * 1024
let page: Page = { body: '' }

const server = await listen(
  createServer(async (_request, response) => {
    const { headers = {}, pieces = 1 } = page
    const body = Buffer.from(page.body)
    response.writeHead(200, headers)
    for (let i = 0; i < pieces; i++) {
      const size = Math.ceil(body.length / pieces)
      response.write(body.subarray(i * size, (i + 1) * size))
      if (pieces > 1) await new Promise((resolve) => setTimeout(resolve, 5))
    }
    response.end()
  }),
)
const fixture = await openAttemptFixture()
after(() => Promise.all([server.close(), fixture.close()]))

const check = (keyword: string, keywordMatch: KeywordTarget['keywordMatch'] = 'EXISTS') =>
  fixture.attempt({
    ...httpTarget(`http://127.0.0.1:${server.port}`),
    type: 'KEYWORD',
    keyword,
    keywordMatch,
  })

const text = `${'lorem '.repeat(5_000)}needle${' ipsum'.repeat(5_000)}`
const encoded = (encoding: string) => ({ 'Content-Encoding': encoding })
const typed = (charset: string) => ({ 'Content-Type': `text/html; charset=${charset}` })

// biome-ignore format: a table is read by its columns
const rows: [what: string, page: Page, keyword: string, outcome: string][] = [
  ['plain text',                 { body: text }, 'needle', 'OK'],
  ['case differs',               { body: text }, 'Needle', 'KEYWORD_MISSING'],
  ['nothing at all',             { body: '' }, 'needle', 'KEYWORD_MISSING'],
  ['identity',                   { body: text, headers: encoded('identity') }, 'needle', 'OK'],
  ['gzip',                       { body: gzipSync(text), headers: encoded('gzip') }, 'needle', 'OK'],
  ['x-gzip, upper case',         { body: gzipSync(text), headers: encoded('X-GZIP') }, 'needle', 'OK'],
  ['brotli',                     { body: brotliCompressSync(text), headers: encoded('br') }, 'needle', 'OK'],
  ['zstd',                       { body: zstdCompressSync(text), headers: encoded('zstd') }, 'needle', 'OK'],
  ['deflate',                    { body: deflateSync(text), headers: encoded('deflate') }, 'needle', 'OK'],
  ['deflate without its header', { body: deflateRawSync(text), headers: encoded('deflate') }, 'needle', 'OK'],
  ['two codings',                { body: gzipSync(gzipSync(text)), headers: encoded('gzip, gzip') }, 'needle', 'INVALID_RESPONSE'],
  ['an unknown coding',          { body: text, headers: encoded('rot13') }, 'needle', 'INVALID_RESPONSE'],
  ['a wrong label',              { body: text, headers: encoded('gzip') }, 'needle', 'INVALID_RESPONSE'],
  ['gzip cut short',             { body: gzipSync(text).subarray(0, 40), headers: encoded('gzip') }, 'needle', 'INVALID_RESPONSE'],
  ['split into many pieces',     { body: 'a needle', pieces: 8 }, 'needle', 'OK'],
  ['a split character',          { body: 'naïve café', pieces: 12 }, 'ïve café', 'OK'],
  ['Latin-1',                    { body: Buffer.from('café', 'latin1'), headers: typed('iso-8859-1') }, 'café', 'OK'],
  ['UTF-16',                     { body: Buffer.from('café', 'utf16le'), headers: typed('"utf-16le"') }, 'café', 'OK'],
  ['an unknown charset',         { body: 'café', headers: typed('klingon') }, 'café', 'OK'],
  ['just inside the cap',        { body: `${'x'.repeat(MIB - 6)}needle` }, 'needle', 'OK'],
  ['across the cap',             { body: `${'x'.repeat(MIB - 3)}needle` }, 'needle', 'KEYWORD_MISSING'],
  ['the cap counts unpacked',    { body: gzipSync(`${'x'.repeat(MIB)}needle`), headers: encoded('gzip') }, 'needle', 'KEYWORD_MISSING'],
  ['one letter',                 { body: 'ab' }, 'b', 'OK'],
]
for (const [what, served, keyword, outcome] of rows) {
  test(`KEYWORD in ${what} -> ${outcome}`, async () => {
    page = served
    const attempt = await check(keyword)
    assert.equal(attempt.outcome === 'FAILED' ? attempt.causeCode : attempt.outcome, outcome)
  })
}

test('NOT_EXISTS turns the rule around', async () => {
  page = { body: text }
  assert.equal((await check('absent', 'NOT_EXISTS')).outcome, 'OK')
  const attempt = await check('needle', 'NOT_EXISTS')
  assert.ok(attempt.outcome === 'FAILED' && attempt.causeCode === 'KEYWORD_PRESENT')
})
