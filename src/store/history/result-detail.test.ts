import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EvidenceTimings } from '../../domain/incidents/evidence.ts'
import { CAUSE_CODES, type CauseCode } from '../../domain/incidents/incident.ts'
import { packDetail, type ResultTimings, unpackDetail } from './result-detail.ts'

const NONE: ResultTimings = { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null }
const passed = (timings: EvidenceTimings | null) => packDetail(false, null, timings)
const failed = (causeCode: CauseCode | null, timings: EvidenceTimings | null) =>
  packDetail(true, causeCode, timings)
const unanswered = { responseMs: null, httpStatus: null }
const readPassed = (detail: number | null) =>
  unpackDetail({ failed: false, detail, responseMs: 800, httpStatus: 200 }).timings

// biome-ignore format: a table is read by its columns
const rows: [timings: EvidenceTimings | null, back: ResultTimings | null][] = [
  [{ dnsMs: 3, connectMs: 11, tlsMs: 24, firstByteMs: 752 }, { dnsMs: 3, connectMs: 11, tlsMs: 24, firstByteMs: 768 }],
  [{ dnsMs: 0 },          { ...NONE, dnsMs: 0 }], // measured, and quick
  [{ connectMs: 31 },     { ...NONE, connectMs: 31 }],
  [{ connectMs: 33 },     { ...NONE, connectMs: 34 }],
  [{ tlsMs: 63 },         { ...NONE, tlsMs: 64 }], // rounded up into the next doubling
  [{ firstByteMs: 60_000 }, { ...NONE, firstByteMs: 59_392 }], // the sign bit
  [{ dnsMs: -1 },         { ...NONE, dnsMs: 0 }],
  [{},                    null],
  [null,                  null],
]

for (const [timings, back] of rows)
  test(`phases ${JSON.stringify(timings)} are read as ${JSON.stringify(back)}`, () => {
    const detail = passed(timings)
    assert.deepEqual(readPassed(detail), back)
    assert.equal(detail === null ? null : detail | 0, detail, 'an integer of 32 bits')
  })

test('every phase of a minute is read to within 3.2%, and what was longer is longer', () => {
  let previous = -1
  for (let ms = 0; ms <= 60_000; ms++) {
    const read = readPassed(passed({ firstByteMs: ms }))?.firstByteMs ?? -1
    assert.ok(Math.abs(read - ms) <= ms * 0.032, `${ms} is read as ${read}`)
    assert.ok(read >= previous)
    previous = read
  }
})

test('every cause comes back, with the phases before it', () => {
  for (const causeCode of CAUSE_CODES) {
    const detail = failed(causeCode, { dnsMs: 3, connectMs: 5 })
    assert.deepEqual(unpackDetail({ failed: true, detail, ...unanswered }), {
      causeCode,
      timings: { ...NONE, dnsMs: 3, connectMs: 5 },
    })
  }
  const bare = unpackDetail({ failed: true, detail: failed('TIMEOUT', null), ...unanswered })
  assert.deepEqual(bare, { causeCode: 'TIMEOUT', timings: null })
  assert.equal(failed(null, null), null)
})

test('a failure that answered waited for what is left of the whole', () => {
  const detail = failed('UNEXPECTED_STATUS', { dnsMs: 3, connectMs: 5, tlsMs: 20, firstByteMs: 56 })
  const { timings } = unpackDetail({ failed: true, detail, responseMs: 84, httpStatus: 503 })
  assert.deepEqual(timings, { dnsMs: 3, connectMs: 5, tlsMs: 20, firstByteMs: 56 })
})
