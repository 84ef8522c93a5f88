import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseHost, parseHttpUrl, parseNamedTarget } from './target.ts'

// biome-ignore format: a table is read by its columns
const urls: [text: string, hostname: string | undefined][] = [
  ['https://example.com',              'example.com'],
  ['HTTP://EXAMPLE.COM/a?b#c',         'example.com'],
  ['http://127.1/',                    '127.0.0.1'], // judged by the address it connects to
  ['http://[::1]:8080/',               '[::1]'],
  ['http://bücher.example/',           'xn--bcher-kva.example'],
  ['http://a_b.example/',              'a_b.example'],
  ['https://example.com:65536/',       undefined],
  ['https://user@example.com/',        undefined],
  ['https://user:pw@example.com/',     undefined],
  ['https://@example.com/',            undefined],
  ['https:///example.com',             undefined],
  ['https:example.com',                undefined],
  ['https:\\\\example.com',            undefined],
  ['ftp://example.com/',               undefined],
  ['//example.com/',                   undefined],
  ['example.com',                      undefined],
  [' https://example.com/',            undefined],
  ['https://exa\nmple.com/',           undefined],
  ['https://',                         undefined],
  ['https://%00/',                     undefined],
  ['https://-/',                       undefined],
]
for (const [text, hostname] of urls) {
  test(`HTTP url "${text.replace('\n', '\\n')}" -> ${hostname ?? 'refused'}`, () => {
    assert.equal(parseHttpUrl(text)?.hostname, hostname)
  })
}

// biome-ignore format: a table is read by its columns
const hosts: [text: string, host: string | undefined][] = [
  ['example.com',          'example.com'],
  ['example.com.',         'example.com.'],
  ['localhost',            'localhost'],
  ['10.0.0.1',             '10.0.0.1'],
  ['::1',                  '::1'],
  ['[2001:db8::1]',        '2001:db8::1'],
  ['_dmarc.example.com',   '_dmarc.example.com'],
  ['https://example.com',  undefined],
  ['example.com:80',       undefined],
  ['example.com/path',     undefined],
  ['example.com?x',        undefined],
  ['user@example.com',     undefined],
  ['exa mple.com',         undefined],
  ['-v',                   '-v'],
  ['a..b',                 'a..b'],
  ['999.1.1.1',            '999.1.1.1'],
  ['bücher.example',       'xn--bcher-kva.example'],
  ['a*b',                  undefined],
  ['a%62',                 undefined],
  ['[::1',                 undefined],
  ['::zz',                 undefined],
  [`${'a'.repeat(64)}.com`, `${'a'.repeat(64)}.com`],
  ['a'.repeat(255),        'a'.repeat(255)],
]
for (const [text, host] of hosts) {
  test(`host "${text}" -> ${host ?? 'refused'}`, () => {
    assert.equal(parseHost(text), host)
  })
}

// biome-ignore format: a table is read by its columns
const named: [text: string, hostname: string | undefined, port?: number][] = [
  ['example.com',                    'example.com'],
  ['example.com:8443',               'example.com', 8443],
  ['example.com:80',                 'example.com', 80], // explicit, though it is the default of http
  ['https://example.com/path',       'example.com'],
  ['https://example.com:444/path',   'example.com', 444],
  ['smtp://mail.example.com:465',    'mail.example.com', 465],
  ['_sip._tcp.example.com',          '_sip._tcp.example.com'],
  ['[::1]:443',                      '::1', 443],
  ['example.com:0x10',               undefined],
  ['exa mple.com',                   undefined],
  ['://',                            undefined],
]
for (const [text, hostname, port] of named) {
  test(`named target "${text}" -> ${hostname ?? 'refused'} ${port ?? ''}`, () => {
    const expected = hostname === undefined ? undefined : { hostname, port }
    assert.deepEqual(parseNamedTarget(text), expected)
  })
}
