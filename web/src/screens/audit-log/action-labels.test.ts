import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ACTIONS, sentenceOf } from './action-labels.ts'

const ENTRY = {
  action: 'updateMonitor',
  resourceId: 'mon_1',
  resourceName: 'API',
  changes: [],
  verb: null,
  count: null,
  via: null,
}

// biome-ignore format: one entry per line
const SENTENCES: [Partial<Parameters<typeof sentenceOf>[0]>, before: string, object: string | null][] = [
  [{ changes: [1, 2, 3] }, 'Updated 3 fields of ', 'API'],
  [{ changes: [1] }, 'Updated 1 field of ', 'API'],
  [{}, 'Updated ', 'API'],
  [{ resourceName: null }, 'Updated ', 'mon_1'],
  [{ action: 'updateAlertContact', changes: [1, 2] }, 'Updated 2 fields of contact ', 'API'],
  [{ action: 'createKey', resourceName: 'Terraform' }, 'Created API key ', 'Terraform'],
  [{ action: 'acknowledgeIncident' }, 'Acknowledged incident of ', 'API'],
  [{ action: 'deleteAlertContact', resourceId: null, resourceName: null }, 'Deleted contact', null],
  [{ action: 'setMonitorTags', resourceId: null, resourceName: null }, 'Changed tags', null],
  [{ action: 'retryWebhookDelivery', resourceId: 'whd_1', resourceName: null }, 'Resent delivery', null],
  [{ action: 'renameOrganization' }, 'Renamed the organization', null],
  [{ action: 'startMonitorBulk', verb: 'PAUSE', count: 55 }, 'Paused 55 monitors', null],
  [{ action: 'startMonitorBulk', verb: 'INTERVAL', count: 1 }, 'Changed the interval of 1 monitor', null],
  [{ action: 'startMonitorBulk', verb: 'LATER', count: 2 }, 'Changed 2 monitors', null],
  [{ action: 'addedLater' }, 'addedLater ', 'API'],
]

for (const [entry, before, object] of SENTENCES)
  test(`sentenceOf: ${before}${object ?? ''}`, () => {
    assert.deepEqual(sentenceOf({ ...ENTRY, ...entry }), { before, object })
  })

test('filter options: one label per action, in alphabetical order', () => {
  const labels = ACTIONS.map(({ label }) => label)
  assert.equal(new Set(labels).size, labels.length)
  assert.deepEqual(
    labels,
    labels.toSorted((one, other) => one.localeCompare(other)),
  )
})
