import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { Rendition } from './rendition.ts'

const TEXT = 'All systems operational. '.repeat(100)
const large = new Rendition(TEXT, 'text/plain')

const rows: [accept: string, encoding: string][] = [
  ['', 'identity'],
  ['gzip', 'gzip'],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip, zstd', 'zstd'],
  ['br;q=0, gzip;q=1.0', 'gzip'],
  ['GZIP', 'gzip'],
  ['deflate', 'identity'],
  ['*', 'br'],
  ['br;q=0.0, *', 'zstd'],
  ['identity', 'identity'],
]

for (const [accept, encoding] of rows) {
  test(`encodingFor: "${accept}" -> ${encoding}`, () =>
    assert.equal(large.encodingFor(accept), encoding))
}

test('encoded: every way of packing it holds the same bytes', async () => {
  assert.equal(gunzipSync(await large.encoded('gzip')).toString(), TEXT)
  assert.equal(brotliDecompressSync(await large.encoded('br')).toString(), TEXT)
  assert.equal(zstdDecompressSync(await large.encoded('zstd')).toString(), TEXT)
  assert.ok(large.bytes > TEXT.length, 'what is kept is counted')
})

test('encodingFor: little text is not worth packing', () => {
  assert.equal(new Rendition('short', 'text/plain').encodingFor('gzip'), 'identity')
})

test('isKnownBy: its own tag, weak or strong, in a list or as a star; no other', () => {
  const { etag } = large
  for (const sent of [etag, etag.replace('W/', ''), `"x", ${etag}`, '*'])
    assert.ok(large.isKnownBy(sent), sent)
  for (const sent of ['', '"x"', new Rendition('other', 'text/plain').etag])
    assert.ok(!large.isKnownBy(sent), sent)
})
