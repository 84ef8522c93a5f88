import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attachAlertContact } from '../../../contract/ext/alert-contacts.ts'
import { getCheckEvidence } from '../../../contract/ext/figures.ts'
import { EXT_OPERATIONS } from '../../../contract/ext/operations.ts'
import { PRIVATE_OPERATIONS } from '../../../contract/private/operations.ts'
import { OPERATIONS } from '../../../contract/public/operations.ts'
import { REFERENCES } from '../../../contract/references.ts'
import { toPublicId } from '../../../domain/values/id.ts'
import { ApiError } from '../../../platform/api-error.ts'
import { decoderOf } from './references.ts'

const UUID = '01940000-0000-7000-8000-000000000001'
const OTHER = '01940000-0000-7000-8000-000000000002'
// Names, times, and ids of which the handler takes more than one kind or says something of its own.
const NO_REFERENCE = ['organizationId', 'sessionId', 'passkeyId', 'targetId', 'source', 'tag', 'at']

const missing = (noun: string) => (error: unknown) =>
  error instanceof ApiError && error.message === `No such ${noun} in this organization.`

test('every parameter of every path is a reference, or known not to be one', () => {
  const paths = [...OPERATIONS, ...EXT_OPERATIONS, ...PRIVATE_OPERATIONS].map(({ path }) => path)
  const names = new Set(paths.flatMap((path) => [...path.matchAll(/\{(\w+)\}/g)].map((m) => m[1])))
  const known = new Set([...Object.keys(REFERENCES), ...NO_REFERENCE])
  assert.deepEqual([...names.symmetricDifference(known)], [])
})

test('the handler gets UUIDs, and the rest of the request as it is', () => {
  const decode = decoderOf(attachAlertContact)
  const params = { contactId: toPublicId('act', UUID), monitorId: toPublicId('mon', OTHER) }
  assert.deepEqual(decode({ params, query: { limit: 1 } }), {
    params: { contactId: UUID, monitorId: OTHER },
    query: { limit: 1 },
  })
})

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
