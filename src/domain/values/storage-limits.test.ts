import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MAX_UPDATES } from '../status-pages/status-incident.ts'
import { PLANS } from './plan.ts'
import {
  bytesOverQuota,
  isJudgedAgain,
  retrySeconds,
  STORAGE_LIMITS,
  storageLimits,
  storageRefusal,
} from './storage-limits.ts'

test('no plan stores less than a smaller one, and every limit is one', () => {
  PLANS.forEach((plan, at) => {
    const smaller = PLANS[at - 1]
    for (const [name, limit] of Object.entries(STORAGE_LIMITS[plan])) {
      assert.ok(Number.isInteger(limit) && limit > 0, `${plan} ${name}`)
      const before = smaller && Object.entries(STORAGE_LIMITS[smaller]).find(([n]) => n === name)
      assert.ok(limit >= (before?.[1] ?? 0), `${plan} ${name}`)
    }
  })
})

test('an operator can set a limit of one organization, but not lift it', () => {
  const limits = storageLimits('FREE', { bindings: 5, members: null, monitors: 1 } as object)
  assert.deepEqual(limits, { ...STORAGE_LIMITS.FREE, bindings: 5 })
})

test('the largest response fits into the smallest quota: when enough has expired, it can be stored', () => {
  // All updates of a published incident, each character escaped, with the states of 200 components.
  const largest = MAX_UPDATES * (10_000 * 6 + 200 * 80 + 300)
  assert.ok((largest * 21) / 20 < STORAGE_LIMITS.FREE.storedResponseBytes, `${largest}`)
})

test('a quota is used up when nothing is left of it', () => {
  assert.deepEqual(
    [0, 99, 100, 101].map((used) => bytesOverQuota(used, 100)),
    [0, 0, 1, 2],
  )
  assert.deepEqual([0.2, 1, 1.1].map(retrySeconds), [1, 1, 2])
  assert.ok(!isJudgedAgain(262_144) && isJudgedAgain(262_145))
})

test('a refusal names the limit', () => {
  assert.equal(storageRefusal('tags', 2_000, 2_000), undefined)
  assert.equal(
    storageRefusal('tags', 2_000, 2_001),
    'An organization of this plan can have 2,000 tags.',
  )
})
