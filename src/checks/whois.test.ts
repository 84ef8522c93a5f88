import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cpuMs } from '../../test/kit/cpu-time.ts'
import { findExpiryLine, findReferral, findRegistrarLine, saysAbsent } from './whois.ts'

const LENGTH = 65_500
const HOSTILE = [
  ['\n', '\r', ' ', '\t', '.', ':', 'a', '\n ', 'expires\n', 'expires:\n', 'expires: \n \n'],
  ['status:', 'status: ', 'domain ', 'no ', 'a is fre', '%', '- ', 'not\n'],
  ['expires.', 'expires.:', 'whois:', 'whois: a', 'whois:a ', 'whois:a:1', 'refer:\n', '\u2028'],
  ['registrar', 'registrar\n', 'registrar:', 'registrar:\n', 'registrar.', 'registrar: \u0000\n'],
].flat()

test('WHOIS: no answer takes 100 ms to read', () => {
  for (const unit of HOSTILE) {
    const fill = unit.repeat(Math.ceil(LENGTH / unit.length)).slice(0, LENGTH)
    for (const text of [fill, `whois:${fill}!`, `expires${fill}`, `expires:${fill}`]) {
      const read = () => [
        findExpiryLine(text),
        findReferral(text),
        saysAbsent(text),
        findRegistrarLine(text),
      ]
      // The better of two: the files before it in the same process leave garbage to collect.
      const ms = Math.min(cpuMs(read), cpuMs(read))
      assert.ok(ms < 100, `${ms} ms for ${JSON.stringify(text.slice(0, 20))}`)
    }
  }
})

test('WHOIS: the referral of an answer', () => {
  for (const [text, referral] of [
    ['refer:        whois.nic.example\r\n', 'whois.nic.example'],
    ['a: b\n  Registrar WHOIS Server: whois.example:4343 \r\nc: d', 'whois.example:4343'],
    ['whois:\n', undefined],
    ['refer: whois.example and more\n', undefined],
  ] as const)
    assert.equal(findReferral(text), referral, text)
})

// biome-ignore format: a table is read by its columns
const answers: [text: string, isAbsent: boolean][] = [
  ['No match for "FREE.COM".\r\n>>> Last update of whois database',     true],
  ['NOT FOUND\n',                                                       true],
  ['Domain not found.\r\n',                                             true],
  ['%% No entries found for the selected source(s).\n',                 true],
  ['\r\n    No match for "free.uk".\r\n',                               true],
  ['Domain: free.de\nStatus: free\n',                                   true],
  ['Domain:\tfree.be\nStatus:\tAVAILABLE\n',                           true],
  ['free.nl is free\r\n',                                               true],
  ['% nothing found\n',                                                 true],
  ['We do not have an entry in our database matching your query.\n',    true],
  ['% This query returned 0 objects.\n',                                true],
  ['',                                                                  false],
  ['Your query rate is too high.\n',                                    false],
  ['Domain: x.de\nStatus: connect\n',                                   false],
  ['Registrant: Not Found Ltd\nStatus: ok\n',                           false],
  ['Please note that this service is free of charge.\n',                false],
]
for (const [text, isAbsent] of answers)
  test(`WHOIS ${JSON.stringify(text.slice(0, 50))}: ${isAbsent ? 'no such domain' : 'says nothing'}`, () =>
    assert.equal(saysAbsent(text), isAbsent))
