import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attachAlertContact } from '../../../contract/ext/alert-contacts.ts'
import { getCheckEvidence } from '../../../contract/ext/figures.ts'
import { EXT_OPERATIONS } from '../../../contract/ext/operations.ts'
import type { BaseOperation } from '../../../contract/operation.ts'
import { PRIVATE_OPERATIONS } from '../../../contract/private/operations.ts'
import { listIncidents } from '../../../contract/public/incidents.ts'
import { createMaintenanceWindow } from '../../../contract/public/maintenance-windows.ts'
import { OPERATIONS } from '../../../contract/public/operations.ts'
import { REFERENCES } from '../../../contract/references.ts'
import { toPublicId } from '../../../domain/values/id.ts'
import { ApiError } from '../../../platform/api-error.ts'
import { decoderOf, timeDecoder } from './decode.ts'

import type { Schema } from './validation.ts'

const UUID = '01940000-0000-7000-8000-000000000001'
const OTHER = '01940000-0000-7000-8000-000000000002'
// Names, times, and ids of which the handler takes more than one kind or says something of its own.
const NO_REFERENCE = ['organizationId', 'sessionId', 'passkeyId', 'targetId', 'source', 'tag', 'at']

const missing = (noun: string) => (error: unknown) =>
  error instanceof ApiError && error.message === `No such ${noun} in this organization.`

test('every parameter of every path is a reference, or known not to be one', () => {
  const paths = ALL.map(({ path }) => path)
  const names = new Set(paths.flatMap((path) => [...path.matchAll(/\{(\w+)\}/g)].map((m) => m[1])))
  const known = new Set([...Object.keys(REFERENCES), ...NO_REFERENCE])
  assert.deepEqual([...names.symmetricDifference(known)], [])
})

test('the handler gets UUIDs, and the rest of the request as it is', () => {
  const decode = decoderOf(attachAlertContact)
  const params = { contactId: toPublicId('act', UUID), monitorId: toPublicId('mon', OTHER) }
  assert.deepEqual(decode({ params, query: { limit: 1 }, body: { a: 1 } }), {
    params: { contactId: UUID, monitorId: OTHER },
    query: { limit: 1 },
    body: { a: 1 },
  })
})

const ALL: readonly BaseOperation[] = [...OPERATIONS, ...EXT_OPERATIONS, ...PRIVATE_OPERATIONS]

test('a filter that names what cannot exist matches nothing', () => {
  const query = (monitorId?: string) => ({ limit: 25, offset: 0, ...(monitorId && { monitorId }) })
  const decoded = (id?: string) => decoderOf(listIncidents)({ params: {}, query: query(id) })
  const expected = (id?: string) => ({ params: {}, query: query(id), body: undefined })
  assert.deepEqual(decoded(), expected())
  assert.deepEqual(decoded(toPublicId('mon', UUID)), expected(UUID))
  for (const wrong of ['x', toPublicId('inc', UUID)])
    assert.deepEqual(decoded(wrong), expected('00000000-0000-0000-0000-000000000000'))
})

const TEXT = '2026-11-14T23:39+01:00'
const AT = new Date('2026-11-14T22:39:00.000Z')

test('times become Dates, wherever they are in a body; null and what is missing stay', () => {
  const decode = (body: unknown) =>
    (decoderOf(createMaintenanceWindow)({ params: {}, body }) as { body: unknown }).body
  const name = TEXT
  assert.deepEqual(decode({ name, startsAt: TEXT, recurrence: null }), {
    name,
    startsAt: AT,
    recurrence: null,
  })
  const rule = { frequency: 'DAILY', endsAt: TEXT }
  assert.deepEqual(decode({ recurrence: rule }), { recurrence: { ...rule, endsAt: AT } })
  assert.deepEqual(decode({ recurrence: { endsAt: null } }), { recurrence: { endsAt: null } })
})

test('every time that any operation takes becomes a Date', () => {
  const inputs = ALL.flatMap(({ query, body }) => [query, body?.schema].flatMap((one) => one ?? []))
  const taken = inputs.map((schema) => ({ schema, times: timesIn(schema) }))
  assert.ok(taken.filter(({ times }) => times > 0).length > 15)
  for (const { schema, times } of taken) {
    const decoded = JSON.stringify(timeDecoder(schema)(exampleOf(schema)))
    assert.equal(decoded.split(AT.toISOString()).length - 1, times, JSON.stringify(schema))
  }
})

const timesIn = (schema: object): number =>
  JSON.stringify(schema).split('"format":"date-time"').length - 1

/** Every property, one item in every list, and every time as text. */
function exampleOf(schema: unknown): unknown {
  const { format, items, properties } = schema as Schema
  if (format === 'date-time') return TEXT
  if (items !== undefined) return [exampleOf(items)]
  if (properties === undefined) return null
  const members = Object.entries(properties as object)
  return Object.fromEntries(members.map(([name, member]) => [name, exampleOf(member)]))
}

test('what is not an id of its kind is missing', () => {
  const decode = decoderOf(attachAlertContact)
  const [contactId, monitorId] = [toPublicId('act', UUID), toPublicId('mon', OTHER)]
  for (const wrong of ['', 'x', UUID, contactId.toUpperCase(), `${monitorId} `]) {
    assert.throws(
      () => decode({ params: { contactId: wrong, monitorId } }),
      missing('alert contact'),
    )
    assert.throws(() => decode({ params: { contactId, monitorId: wrong } }), missing('monitor'))
  }
  assert.throws(
    () => decode({ params: { contactId: monitorId, monitorId } }),
    missing('alert contact'),
  )
  const params = { monitorId: 'x', checkId: toPublicId('chk', UUID) }
  assert.throws(() => decoderOf(getCheckEvidence)({ params }), missing('check'))
})
