// The contract of the private API, for tests that cover all of it.
import assert from 'node:assert/strict'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { PrivateOperation } from '../../src/contract/private/operation.ts'
import { DASHBOARD_OPERATIONS, PRIVATE_OPERATIONS } from '../../src/contract/private/operations.ts'
import type { ApiResponse } from '../kit/response.ts'

export {
  DASHBOARD_OPERATIONS as OWN_OPERATIONS,
  PRIVATE_OPERATIONS as APP_OPERATIONS,
  type PrivateOperation as AppOperation,
}

const ajv = new Ajv2020({
  strict: false,
  allErrors: true,
  formats: { 'date-time': true, uri: true },
})
const judges = PRIVATE_OPERATIONS.map(({ id, method, path, reply }) => ({
  id,
  method,
  status: reply.status,
  columns: 'columns' in reply ? (reply.columns as readonly string[]) : undefined,
  types: 'types' in reply ? new Set(reply.types as readonly string[]) : undefined,
  pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  body: reply.body,
}))
const validators = new Map<string, ValidateFunction>()

// Compiled when it is needed: a test uses few operations.
function validatorOf({ id, body }: (typeof judges)[number]): ValidateFunction {
  // Serialized, to drop everything specific to the schema library.
  const validate = validators.get(id) ?? ajv.compile(JSON.parse(JSON.stringify(body)))
  validators.set(id, validate)
  return validate
}

/** Every promised field, and no other. */
export function assertReply(method: string, target: string, answer: ApiResponse): void {
  const [path = ''] = target.split('?')
  const judge = judges.find((each) => each.method === method && each.pattern.test(path))
  assert.ok(judge, `${method} ${path} is answered, but not in the contract`)
  assert.equal(answer.status, judge.status, judge.id)
  if (judge.columns !== undefined) {
    assert.equal(answer.text.split('\r\n', 1)[0], judge.columns.join(','), judge.id)
    return
  }
  if (judge.types !== undefined) {
    const lines = answer.text.trimEnd().split('\n')
    const types = lines.map((line) => (JSON.parse(line) as { type: string }).type)
    assert.deepEqual(new Set(types).difference(judge.types), new Set(), judge.id)
    return
  }
  const validate = validatorOf(judge)
  assert.ok(validate(answer.json), `${judge.id}: ${ajv.errorsText(validate.errors)}`)
}

/** The path of an operation, with ids that do not exist. */
export function pathOf({ path }: PrivateOperation, organizationId: string): string {
  return path
    .slice('/app/api'.length)
    .replace('{organizationId}', organizationId)
    .replaceAll(/\{(\w+)\}/g, (_, name: string) => `${PREFIXES[name] ?? 'x'}_${UNKNOWN_ID}`)
}

const UNKNOWN_ID = '01m7ef2j5re008007k9b361f3r'
const PREFIXES: Readonly<Record<string, string>> = {
  monitorId: 'mon',
  incidentId: 'inc',
  statusPageId: 'sp',
  maintenanceId: 'mw',
  statusIncidentId: 'sin',
  endpointId: 'whe',
  deliveryId: 'whd',
  userId: 'usr',
  keyId: 'key',
  invitationId: 'inv',
  sessionId: 'ses',
  contactId: 'act',
  subscriberId: 'sub',
  tagId: 'tag',
  bulkId: 'blk',
  sectionId: 'sec',
  viewId: 'mvw',
  deviceId: 'pdv',
  targetId: 'mon',
}
