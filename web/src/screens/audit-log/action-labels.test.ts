import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ACTIONS, actionLabel, sentenceOf } from './action-labels.ts'

const ENTRY = {
  action: 'updateMonitor',
  resourceId: 'mon_1',
  resourceName: 'API',
  changes: [],
  verb: null,
  count: null,
  via: null,
}

const changed = (...fields: string[]) => fields.map((field) => ({ field }))

// biome-ignore format: one entry per line
const SENTENCES: [Partial<Parameters<typeof sentenceOf>[0]>, before: string, object: string | null][] = [
  [{ changes: changed('expectedStatus', 'requestHeaders') }, 'Updated expected status codes and request headers of ', 'API'],
  [{ changes: changed('url') }, 'Updated URL of ', 'API'],
  [{ changes: changed('name', 'url', 'method', 'keyword') }, 'Updated name, URL, method, and keyword of ', 'API'],
  [{ changes: changed('name', 'url', 'method', 'keyword', 'host') }, 'Updated name, URL, method, and 2 more fields of ', 'API'],
  [{}, 'Updated ', 'API'],
  [{ resourceName: null }, 'Updated ', 'mon_1'],
  [{ action: 'updateAlertContact', changes: changed('name', 'settings') }, 'Updated name and settings of contact ', 'API'],
  [{ action: 'createKey', resourceName: 'Terraform' }, 'Created API key ', 'Terraform'],
  [{ action: 'acknowledgeIncident' }, 'Acknowledged incident of ', 'API'],
  [{ action: 'deleteAlertContact', resourceId: null, resourceName: null }, 'Deleted contact', null],
  [{ action: 'setMonitorTags', resourceId: null, resourceName: null }, 'Changed tags', null],
  [{ action: 'retryWebhookDelivery', resourceId: 'whd_1', resourceName: null }, 'Resent delivery', null],
  [{ action: 'renameOrganization' }, 'Renamed the organization', null],
  [{ action: 'startBulkChange', verb: 'PAUSE', count: 55 }, 'Paused 55 monitors', null],
  [{ action: 'startBulkChange', verb: 'INTERVAL', count: 1 }, 'Changed the interval of 1 monitor', null],
  [{ action: 'startBulkChange', verb: 'LATER', count: 2 }, 'Changed 2 monitors', null],
  [{ action: 'addedLater' }, 'Added later ', 'API'],
  [{ action: 'tryMonitor', resourceId: null, resourceName: null }, 'Ran a check without saving it', null],
]

for (const [entry, before, object] of SENTENCES)
  test(`sentenceOf: ${before}${object ?? ''}`, () => {
    const { before: start, fields, after, object: named } = sentenceOf({ ...ENTRY, ...entry })
    assert.deepEqual([start + fields + after, named], [before, object])
  })

test('sentenceOf: the changed fields are apart, so that they can be read at a glance', () => {
  const changes = changed('timeoutSeconds', 'degradedThresholdMs')
  assert.deepEqual(sentenceOf({ ...ENTRY, changes }), {
    before: 'Updated ',
    fields: 'timeout and slow limit',
    after: ' of ',
    object: 'API',
  })
})

test('filter options: one label per action, in alphabetical order', () => {
  const labels = ACTIONS.map(({ label }) => label)
  assert.equal(new Set(labels).size, labels.length)
  assert.deepEqual(
    labels,
    labels.toSorted((one, other) => one.localeCompare(other)),
  )
})

test('actionLabel: what was done in words, also of an action that was added later', () => {
  assert.equal(actionLabel('tryMonitor'), 'Check run before saving')
  assert.equal(actionLabel('addedLater'), 'Added later')
  assert.equal(actionLabel('changeRole'), 'Role changed', 'of an entry under a former name')
})
