import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addStep, bodyOf, draftOf, isOffered, type StepDraft } from './policy.ts'

const step = (key: number, afterMinutes: string, ...contactIds: string[]): StepDraft => ({
  key,
  afterMinutes,
  contactIds,
})

// biome-ignore format: a table is read by its columns
const ADDED: [before: StepDraft[], key: number, afterMinutes: string][] = [
  [[],                                0, '15'],
  [[step(0, '15')],                   1, '30'],
  [[step(4, '5'), step(2, '10')],     5, '25'],
  [[step(0, 'soon')],                 1, '15'],
  [[step(0, '')],                     1, '15'],
]
for (const [before, key, afterMinutes] of ADDED)
  test(`addStep: after ${JSON.stringify(before)}`, () => {
    assert.deepEqual(addStep(before), [...before, { key, afterMinutes, contactIds: [] }])
  })

test('a policy becomes a draft and the same policy again', () => {
  const steps = [
    { afterMinutes: 5, contactIds: ['ben'] },
    { afterMinutes: 20, contactIds: ['ana', 'cleo'] },
  ]
  const policy = {
    id: 'mon_1',
    targetType: 'MONITOR',
    targetName: 'Shop',
    steps,
    updatedAt: '2026-11-14T22:39:00.000Z',
  } as const
  assert.deepEqual(bodyOf(draftOf({ ...policy, steps })), { steps })
  assert.equal(draftOf(undefined).length, 1)
})

test('isOffered: a contact of another step is not offered again', () => {
  const [first, second] = [step(0, '5', 'ben'), step(1, '10', 'ana')]
  const offered = ['ana', 'ben', 'cleo'].filter((id) => isOffered([first, second], first, id))
  assert.deepEqual(offered, ['ben', 'cleo'])
})
