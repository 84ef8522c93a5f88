import assert from 'node:assert/strict'
import { test } from 'node:test'
import { appearanceOfDelivery } from './delivery.ts'

type Shown = Parameters<typeof appearanceOfDelivery>[0]

// biome-ignore format: a table is read by its columns
const rows: [status: Shown['status'], attempts: number, error: string | null, word: string][] = [
  ['PENDING',   0, null,         'Pending'],
  ['PENDING',   1, 'BAD_STATUS', 'Retrying'],
  ['PENDING',   1, null,         'Sending again'], // was delivered, and is being sent again manually
  ['SUCCEEDED', 2, null,         'Delivered'],
  ['FAILED',   10, 'TIMEOUT',    'Failed'],
]

for (const [status, attemptCount, lastError, word] of rows)
  test(`a ${status} delivery after ${attemptCount} attempts with ${lastError} is shown as ${word}`, () => {
    assert.equal(appearanceOfDelivery({ status, attemptCount, lastError }).word, word)
  })
