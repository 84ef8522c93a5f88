import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type OwnedDomain, type Proof, proofRecord, settleDomain } from './custom-domain.ts'

const NOW = new Date('2026-11-14T12:00:00Z')
const hoursAgo = (hours: number) => new Date(NOW.getTime() - hours * 3_600_000)
const UUID = '01940000-0000-7000-8000-000000000000'

type Row = [
  OwnedDomain['status'],
  seen: number | null,
  changed: number,
  Proof,
  OwnedDomain['status'] | null,
  failed?: number,
]

// biome-ignore format: a table is read by its columns
const rows: Row[] = [
  // status    checked changed proof       after
  ['PENDING',  null,   0,      'SEEN',     'ACTIVE'],
  ['PENDING',  null,   0,      'ABSENT',   'PENDING'],
  ['PENDING',  1,      47,     'ABSENT',   'PENDING'],
  ['PENDING',  1,      49,     'ABSENT',   'FAILED'],
  ['PENDING',  null,   500,    'UNKNOWN',  null],
  ['FAILED',   2,      500,    'SEEN',     'ACTIVE'],
  ['FAILED',   2,      1,      'ABSENT',   'FAILED'],
  ['FAILED',   2,      500,    'ABSENT',   'FAILED',  167],
  ['FAILED',   2,      500,    'SEEN',     'ACTIVE',  169],
  ['FAILED',   2,      500,    'UNKNOWN',  null,      900],
  ['PENDING',  1,      47,     'HELD',     'PENDING'], // proven as well, but another page serves it
  ['PENDING',  1,      49,     'HELD',     'FAILED'],
  ['FAILED',   2,      500,    'HELD',     'FAILED'],
  ['ACTIVE',   6,      500,    'SEEN',     'ACTIVE'],
  ['ACTIVE',   6,      500,    'UNKNOWN',  null],
  ['ACTIVE',   900,    900,    'UNKNOWN',  null], // no response for weeks still proves nothing
  ['ACTIVE',   71,     500,    'ABSENT',   null], // removed by mistake: three days to notice
  ['ACTIVE',   73,     500,    'ABSENT',   'FAILED'],
]

for (const [status, seen, changed, proof, after, failed] of rows) {
  test(`${status}, checked ${seen} h ago, record ${proof} -> ${after ?? 'unchanged'}`, () => {
    const checkedAt = seen === null ? null : hoursAgo(seen)
    const failedAt = failed === undefined ? null : hoursAgo(failed)
    const owned = { pageUuid: UUID, status, checkedAt, changedAt: hoursAgo(changed), failedAt }
    const settled = settleDomain(owned, proof, NOW)
    assert.equal(settled?.status ?? null, after)
    if (settled !== undefined) assert.equal(settled.checkedAt, NOW)
  })
}

for (const proof of ['ABSENT', 'HELD'] as const)
  test(`FAILED for more than 7 days, record ${proof} -> the claim is released`, () => {
    const changedAt = hoursAgo(500)
    const owned = { pageUuid: UUID, status: 'FAILED', checkedAt: hoursAgo(2), changedAt } as const
    assert.equal(settleDomain({ ...owned, failedAt: hoursAgo(169) }, proof, NOW)?.status, 'NONE')
  })

test('proofRecord: names the page, so that a name left behind proves nothing for another', () => {
  const { name, value } = proofRecord('status.example.com', UUID)
  assert.equal(name, '_upvane.status.example.com')
  assert.match(value, /^sp_[0-9a-z]{26}$/)
})
