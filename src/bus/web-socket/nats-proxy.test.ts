import assert from 'node:assert/strict'
import { test } from 'node:test'
import { proxyFor } from './nats-proxy.ts'

const HOST = 'upvane.example.com'
type Row = [why: string, own: string, general: string, except: string, proxy: string | undefined]
// biome-ignore format: a table is read by its columns
const rows: Row[] = [
  ['none is set',                          '', '', '',                              undefined],
  ['our own',                              'http://a:3128', '', '',                 'http://a:3128/'],
  ['our own comes first, for every host',  'http://a:3128', 'http://b', '*',        'http://a:3128/'],
  ['that of other programs',               '', 'https://u:p@b:8443', '',            'https://u:p@b:8443/'],
  ['the same, without a scheme',           '', 'b:3128', '',                        'http://b:3128/'],
  ['the host is excepted',                 '', 'http://b', 'x, upvane.example.com', undefined],
  ['its domain is excepted',               '', 'http://b', 'example.com',           undefined],
  ['the same with a dot or an asterisk',   '', 'http://b', '*.EXAMPLE.com',         undefined],
  ['a name that only ends the same',       '', 'http://b', 'ample.com,e.com',       'http://b/'],
  ['everything is excepted',               '', 'http://b', '*',                     undefined],
]
for (const [why, own, general, except, proxy] of rows)
  test(`the proxy of a WebSocket, ${why}: ${proxy ?? 'none'}`, () => {
    const settings = { own: own || undefined, general: general || undefined, except }
    assert.equal(proxyFor(HOST, settings)?.href, proxy)
  })

test('what is no proxy is refused without being shown', () => {
  for (const own of ['socks5://u:secret@a', 'http://', '://secret'])
    assert.throws(
      () => proxyFor(HOST, { own, general: undefined, except: '' }),
      ({ message }: Error) => /NATS_PROXY/.test(message) && !message.includes('secret'),
    )
})
