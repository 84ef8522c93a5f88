import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toOwnPath } from './own-path.ts'

// biome-ignore format: a table is read by its columns
const rows: [text: string, path: string | undefined][] = [
  ['/',                              '/'],
  ['/monitors',                      '/monitors'],
  ['/monitors?state=DOWN&q=a%20b',   '/monitors?state=DOWN&q=a%20b'],
  ['/monitors#part',                 '/monitors'],
  ['/a/../b',                        '/b'],
  ['/a b',                           '/a%20b'],
  ['',                               undefined],
  ['monitors',                       undefined],
  ['https://evil.example/',          undefined],
  ['HTTPS:evil.example',             undefined],
  ['//evil.example/',                undefined],
  ['///evil.example/',               undefined],
  ['/\\evil.example/',               undefined], // browsers read this as //
  ['/\t/evil.example/',              undefined], // and drop tabs and line breaks
  ['/\n/evil.example/',              undefined],
  ['\t//evil.example/',              undefined],
  ['/.//evil.example/',              undefined], // folds to //
  ['/..//evil.example/',             undefined],
  ['/%2f/evil.example/',             '/%2f/evil.example/'], // stays a path
  ['/@evil.example/',                '/@evil.example/'],
  ['javascript:alert(1)',            undefined],
  ['/javascript:alert(1)',           '/javascript:alert(1)'],
  ['/app/sign-in/oidc',              undefined], // would loop
  ['/app',                           undefined],
  ['/api/v1/monitors',               undefined],
  ['/apple',                         '/apple'],
  [`/${'a'.repeat(1000)}`,           undefined],
]
for (const [text, path] of rows)
  test(`${JSON.stringify(text.slice(0, 40))} after signing in`, () => {
    assert.equal(toOwnPath(text), path)
    if (path !== undefined)
      assert.equal(new URL(path, 'https://upvane.example').host, 'upvane.example')
  })
