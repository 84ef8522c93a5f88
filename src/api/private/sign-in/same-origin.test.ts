import assert from 'node:assert/strict'
import type { IncomingHttpHeaders } from 'node:http'
import { test } from 'node:test'
import { isSameOrigin, isUnderAnotherName } from './same-origin.ts'

const BASE = 'http://localhost:8080'
const NAME = 'up.example.com'

// biome-ignore format: a table is read by its columns
const rows: [what: string, headers: IncomingHttpHeaders, isAnotherName: boolean][] = [
  ['plain HTTP under a real name',   { host: NAME, origin: `http://${NAME}` },                              true],
  ['behind a proxy that ends TLS',   { host: NAME, origin: `https://${NAME}` },                             true],
  ['with a port',                    { host: `${NAME}:8080`, origin: `http://${NAME}:8080` },               true],
  ['under the configured name',      { host: 'localhost:8080', origin: BASE },                              false],
  ['another site',                   { host: NAME, origin: 'https://evil.example' },                        false],
  ['a longer name',                  { host: NAME, origin: `http://${NAME}.evil.example` },                 false],
  ['no origin',                      { host: NAME },                                                        false],
  ['a sandboxed frame',              { host: NAME, origin: 'null' },                                        false],
  ['no host',                        { origin: 'http://' },                                                 false],
  ['an empty host',                  { host: '', origin: 'http://' },                                       false],
  ['a browser that says cross-site', { host: NAME, origin: `http://${NAME}`, 'sec-fetch-site': 'cross-site' }, false],
]

for (const [what, headers, isAnotherName] of rows)
  test(`isUnderAnotherName: ${what} -> ${isAnotherName}`, () => {
    assert.equal(isUnderAnotherName(headers, BASE), isAnotherName)
    if (isAnotherName)
      assert.equal(isSameOrigin(headers, BASE), false, 'it is refused all the same')
  })
