import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cpuMs } from '../../test/kit/cpu-time.ts'
import { findExpiryLine, findReferral } from './whois.ts'

const LENGTH = 65_500
const HOSTILE = [
  ['\n', '\r', ' ', '\t', '.', ':', 'a', '\n ', 'expires\n', 'expires:\n', 'expires: \n \n'],
  ['expires.', 'expires.:', 'whois:', 'whois: a', 'whois:a ', 'whois:a:1', 'refer:\n', '\u2028'],
].flat()

test('WHOIS: no answer takes 100 ms to read', () => {
  for (const unit of HOSTILE) {
    const fill = unit.repeat(Math.ceil(LENGTH / unit.length)).slice(0, LENGTH)
    for (const text of [fill, `whois:${fill}!`, `expires${fill}`, `expires:${fill}`]) {
      const ms = cpuMs(() => [findExpiryLine(text), findReferral(text)])
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
