import assert from 'node:assert/strict'
import { test } from 'node:test'
import { issuerOf } from './tls.ts'

type Issuer = NonNullable<Parameters<typeof issuerOf>[0]['issuer']>

// biome-ignore format: a table is read by its columns
const issuers: [why: string, issuer: Issuer, name: string | undefined][] = [
  ['its organization',          { C: 'US', O: "Let's Encrypt", CN: 'R11' },         "Let's Encrypt"],
  ['its common name',           { CN: 'intermediate' },                             'intermediate'],
  ['an empty organization',     { O: ' ', CN: 'R11' },                              'R11'],
  ['several organizations',     { O: ['Acme Trust', 'Acme'], CN: 'R11' },           'Acme Trust'],
  ['several, the first empty',  { O: ['', 'Acme'] },                                'Acme'],
  ['several common names',      { CN: ['one', 'two'] },                             'one'],
  ['only other names',          { C: 'US', OU: 'Certificates' },                    undefined],
  ['nothing',                   {},                                                 undefined],
]
for (const [why, issuer, name] of issuers)
  test(`issuerOf: ${why}`, () => assert.equal(issuerOf({ issuer }), name))

test('issuerOf: a server may present no certificate', () => assert.equal(issuerOf({}), undefined))
