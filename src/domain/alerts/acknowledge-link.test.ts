import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  linkExpiry,
  linkLocation,
  linkUse,
  readAcknowledgeToken,
  toAcknowledgeToken,
} from './acknowledge-link.ts'

const uuid = fc.uuid()
const time = fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true })
const link = fc.record({ orgId: uuid, incidentUuid: uuid, contactUuid: uuid, expiresAt: time })

test('a token says what it was made for, in characters that no address has to escape', () => {
  fc.assert(
    fc.property(link, fc.uint8Array({ minLength: 1, maxLength: 64 }), (made, bytes) => {
      const token = toAcknowledgeToken(made, Buffer.from(bytes))
      assert.match(token, /^[\w-]+$/)
      assert.ok(token.length <= 200)
      const read = readAcknowledgeToken(token)
      assert.deepEqual(read?.link, { ...made })
      assert.deepEqual([...(read?.proof ?? [])], [...bytes])
    }),
  )
})

test('no two links are proven by the same thing', () => {
  fc.assert(
    fc.property(link, link, (one, other) => {
      const isSame =
        one.incidentUuid === other.incidentUuid &&
        one.contactUuid === other.contactUuid &&
        one.expiresAt.getTime() === other.expiresAt.getTime()
      assert.equal(linkLocation(one).row === linkLocation(other).row, isSame)
    }),
  )
})

test('what is no token is none', () => {
  for (const token of ['', 'a', 'x'.repeat(72), '%%%%'])
    assert.equal(readAcknowledgeToken(token), undefined, token)
})

test('a link works for a day', () => {
  const now = new Date('2026-11-16T10:00:00.000Z')
  assert.equal(linkExpiry(now).toISOString(), '2026-11-17T10:00:00.000Z')
})

const EXPIRES_AT = new Date('2026-11-17T10:00:00.000Z')
const RESOLVED_AT = new Date('2026-11-17T08:00:00.000Z')
// biome-ignore format: a table is read by its columns
const uses: [what: string, now: string, resolvedAt: Date | null, use: ReturnType<typeof linkUse>][] = [
  ['until it expires',                 '2026-11-17T09:59:59.999Z', null,        'ACKNOWLEDGE'],
  ['when it expires',                  '2026-11-17T10:00:00.000Z', null,        'READ'],
  ['once its incident is resolved',    '2026-11-17T09:00:00.000Z', RESOLVED_AT, 'READ'],
  ['for 30 days',                      '2026-12-17T09:59:59.999Z', RESOLVED_AT, 'READ'],
  ['after that, resolved',             '2026-12-17T10:00:00.000Z', RESOLVED_AT, undefined],
  ['after that, still open',           '2026-12-17T10:00:00.000Z', null,        undefined],
]
for (const [what, now, resolvedAt, use] of uses)
  test(`linkUse: ${what}: ${use ?? 'nothing'}`, () => {
    assert.equal(linkUse({ expiresAt: EXPIRES_AT }, { resolvedAt }, new Date(now)), use)
  })
