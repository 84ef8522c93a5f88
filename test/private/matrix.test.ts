// Every operation of the private API, requested by everyone: allowed or refused exactly as written here.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { toId } from '../kit/ids.ts'
import type { Visitor } from '../kit/private-client.ts'
import { ApiResponse } from '../kit/response.ts'
import { type AppFixture, type Person, ROLES, type Role, startAppFixture } from './fixture.ts'
import { follow } from './follower.ts'
import { APP_OPERATIONS, type AppOperation, OWN_OPERATIONS, pathOf } from './operations.ts'
import { markOperator } from './operators.ts'

// Duplicated on purpose: a change to the contract must be repeated here.
// biome-ignore format: a table is read by its columns
const WHO: Readonly<Record<string, AppOperation['who']>> = {
  getSignInStatus:     'ANYONE',
  signIn:              'ANYONE',
  verifySecondFactor:  'ANYONE',
  signOut:             'ANYONE',
  beginPasskeySignIn:  'ANYONE',
  signInByPasskey:     'ANYONE',
  readSetup:           'ANYONE',
  setUpInstallation: 'ANYONE',
  requestPasswordReset: 'ANYONE',
  resetPassword:       'ANYONE',
  readInvitation:      'ANYONE',
  readContactConfirmation: 'ANYONE',
  confirmAlertContact: 'ANYONE',
  readAcknowledgement: 'ANYONE',
  acknowledgeIncidentByLink: 'ANYONE',
  acceptInvitation:    'ANYONE',
  getMe:               'PERSON',
  updateMe:            'PERSON',
  changePassword:      'PERSON',
  beginSecondFactor:   'PERSON',
  confirmSecondFactor: 'PERSON',
  removeSecondFactor:  'PERSON',
  listPasskeys:        'PERSON',
  beginPasskeyRegistration: 'PERSON',
  addPasskey:          'PERSON',
  removePasskey:       'PERSON',
  linkIdentity:        'PERSON',
  unlinkIdentity:      'PERSON',
  listSessions:        'PERSON',
  endSession:          'PERSON',
  createOrganization:  'PERSON',
  getInstallation:     'OPERATOR',
  testInstallationEmail: 'OPERATOR',
  checkForUpdate:      'OPERATOR',
  getOrganization:     'READ_ONLY',
  renameOrganization:  'ADMIN',
  listMembers:         'READ_ONLY',
  changeMemberRole: 'ADMIN',
  removeMember:        'ADMIN',
  leaveOrganization:   'READ_ONLY',
  listInvitations:     'ADMIN',
  inviteMember: 'ADMIN',
  revokeInvitation: 'ADMIN',
  listKeys:            'READ_ONLY',
  createKey:           'ADMIN',
  updateKey:           'ADMIN',
  revokeKey:           'ADMIN',
  replaceKey:          'ADMIN',
  listAuditLog:        'ADMIN',
  testEmail: 'ADMIN',
  changeTimezone:      'ADMIN',
  requireSecondFactor: 'OWNER',
  deleteOrganization:  'OWNER',
  restoreOrganization: 'OWNER',
  listRegions:         'READ_ONLY',
  changeHomeRegion:    'ADMIN',
  getMonitorRegions:   'READ_ONLY',
  putMonitorRegions:   'MEMBER',
  deleteMonitorRegions: 'MEMBER',
  getTagRegions:       'READ_ONLY',
  putTagRegions:       'MEMBER',
  deleteTagRegions:    'MEMBER',
  getOrganizationRegions: 'READ_ONLY',
  putOrganizationRegions: 'ADMIN',
  deleteOrganizationRegions: 'ADMIN',
  listAlertContacts:   'READ_ONLY',
  createAlertContact:  'ADMIN',
  getAlertContact:     'READ_ONLY',
  updateAlertContact:  'ADMIN',
  deleteAlertContact:  'ADMIN',
  moveAlertContact:    'ADMIN',
  testAlertContact:    'ADMIN',
  tryAlertContact:     'ADMIN',
  tryWebhookEndpoint:  'MEMBER',
  resendContactConfirmation: 'ADMIN',
  attachAlertContact:  'ADMIN',
  listAlertDeliveries: 'READ_ONLY',
  listEscalationPolicies: 'READ_ONLY',
  getEscalationPolicy: 'READ_ONLY',
  putEscalationPolicy: 'ADMIN',
  deleteEscalationPolicy: 'ADMIN',
  listTags:            'READ_ONLY',
  createTag:           'MEMBER',
  renameTag:           'MEMBER',
  deleteTag:           'MEMBER',
  setMonitorTags:      'MEMBER',
  setSectionTag: 'MEMBER',
  listTaggedMonitors:  'READ_ONLY',
  startBulkChange: 'MEMBER',
  getBulkChange: 'READ_ONLY',
  continueBulkChange: 'MEMBER',
  listMonitorViews:    'READ_ONLY',
  saveMonitorView:     'MEMBER',
  renameMonitorView:   'MEMBER',
  deleteMonitorView:   'MEMBER',
  previewMonitorImport: 'MEMBER',
  importMonitors:      'MEMBER',
  listManagedResources: 'READ_ONLY',
  listPushDevices:     'READ_ONLY',
  addPushDevice:       'READ_ONLY',
  removePushDevice:    'READ_ONLY',
  testPushDevices:     'READ_ONLY',
  getOverview:         'READ_ONLY',
  listMonitorRows:     'READ_ONLY',
  getMonitorScreen:    'READ_ONLY',
  getResponseTimes:    'READ_ONLY',
  listChecks:          'READ_ONLY',
  getCheck:            'READ_ONLY',
  listIncidentRows:    'READ_ONLY',
  listIncidentDays:    'READ_ONLY',
  getIncidentScreen:   'READ_ONLY',
  addIncidentNote:     'MEMBER',
  getEvidenceFile:     'READ_ONLY',
  getEvidenceKey:      'READ_ONLY',
  replayMonitor:       'READ_ONLY',
  listWebhookRows:     'READ_ONLY',
  listDeliveryRows:    'READ_ONLY',
  getDeliveryExchange: 'READ_ONLY',
  listAlertMessages:   'READ_ONLY',
  getCalendar:         'READ_ONLY',
  listStatusPageRows:  'READ_ONLY',
  getStatusPageScreen: 'READ_ONLY',
  listStatusIncidentRows: 'READ_ONLY',
  listPageSubscribers: 'MEMBER',
  removePageSubscriber: 'MEMBER',
  getPageLedger:       'READ_ONLY',
  setPageLedger:       'MEMBER',
  getIncidentNotes:    'READ_ONLY',
  publishStatusIncident: 'MEMBER',
  postStatusIncidentUpdate: 'MEMBER',
  savePostMortem:      'MEMBER',
  deletePostMortem:    'MEMBER',
  previewStatusPage:   'READ_ONLY',
  previewStatusIncident: 'READ_ONLY',
  searchEverything:    'READ_ONLY',
  exportMonitors:      'READ_ONLY',
  exportChecks:        'READ_ONLY',
  exportIncidents:     'READ_ONLY',
  exportAuditLog:      'ADMIN',
  exportEverything:    'ADMIN',
  tryMonitor:          'MEMBER',
  streamChanges:       'READ_ONLY',
}
const PUBLIC_OPERATIONS = 37
const UNKNOWN_ORGANIZATION = 'org_01m7ef2j5re008007k9b361f3r'

let fixture: AppFixture
let members: Map<Role, { person: Person; visitor: Visitor }>
let foreigner: Visitor
let half: Visitor
/** Reads only in the organization, and is an operator of the installation. */
let operator: { person: Person; visitor: Visitor }
let anonymous: Visitor

before(async () => {
  fixture = await startAppFixture({}, { own: true })
  members = new Map()
  for (const role of ROLES) members.set(role, await fixture.join(fixture.orgId, role))
  const { id } = await fixture.db.one<{ id: string }>(
    `select id from organizations where name = 'Other organization'`,
  )
  const { person, visitor } = await fixture.join(toId('org', id), 'OWNER')
  foreigner = visitor
  half = await fixture.enter(members.get('OWNER')?.person ?? person, { complete: false })
  anonymous = fixture.visitor()
  operator = await fixture.join(fixture.orgId, 'READ_ONLY')
  await markOperator(fixture.db, operator.person)
})
after(() => fixture.stop())

test('the table names every operation, and says what the contract says', () => {
  assert.deepEqual(Object.fromEntries(OWN_OPERATIONS.map(({ id, who }) => [id, who])), WHO)
  assert.equal(APP_OPERATIONS.length - OWN_OPERATIONS.length, PUBLIC_OPERATIONS)
  const ids = APP_OPERATIONS.map(({ method, path }) => `${method} ${path}`)
  assert.equal(new Set(ids).size, ids.length)
})

for (const operation of APP_OPERATIONS) {
  const { id, method, who: promised } = operation
  const needed = WHO[id] ?? (method === 'GET' ? 'READ_ONLY' : 'MEMBER')
  test(`${id}: for ${needed}, and nobody less`, async () => {
    assert.equal(promised, needed)
    for (const [role, { person, visitor }] of members) {
      const answer = await sendRequest(visitor, operation, fixture.orgId)
      assert.equal(accessOf(answer), mayBy(needed, role) ? 'ALLOWED' : 'FORBIDDEN', role)
      // Some operations end a membership or a session: both are restored for the next one.
      await fixture.addMember(fixture.orgId, person, role)
      await fixture.enter(person, { visitor })
    }
    const byOperator = await sendRequest(operator.visitor, operation, fixture.orgId)
    const isForOperators = needed === 'OPERATOR' || mayBy(needed, 'READ_ONLY')
    assert.equal(accessOf(byOperator), isForOperators ? 'ALLOWED' : 'FORBIDDEN', 'operator')
    await fixture.addMember(fixture.orgId, operator.person, 'READ_ONLY')
    await fixture.enter(operator.person, { visitor: operator.visitor })
    for (const [name, visitor] of [['nobody', anonymous] as const, ['half', half] as const]) {
      const answer = await sendRequest(visitor, operation, fixture.orgId)
      assert.equal(accessOf(answer), needed === 'ANYONE' ? 'ALLOWED' : 'UNKNOWN', name)
    }
    await restoreHalf()
    await assertNoLeak(operation, needed)
  })
}

test('not found: what is no operation is none for anyone', async () => {
  for (const visitor of [anonymous, half, foreigner, members.get('OWNER')?.visitor ?? anonymous])
    for (const path of ['/nothing', `/organizations/${fixture.orgId}/nothing`, '/me/'])
      assert.equal((await visitor.get(path)).status, 404)
  const wrongMethod = await anonymous.request('PUT', '/session')
  assert.equal(wrongMethod.status, 405)
  assert.equal(wrongMethod.headers['allow'], 'GET, POST, DELETE')
})

/** Members of another organization get the same response as for one that never existed. */
async function assertNoLeak(operation: AppOperation, needed: AppOperation['who']): Promise<void> {
  if (needed === 'ANYONE' || needed === 'PERSON') return
  if (needed === 'OPERATOR') {
    const answer = await sendRequest(foreigner, operation, fixture.orgId)
    return assert.equal(accessOf(answer), 'FORBIDDEN', 'owner of another organization')
  }
  const [foreign, unknown, malformed] = [
    await sendRequest(foreigner, operation, fixture.orgId),
    await sendRequest(foreigner, operation, UNKNOWN_ORGANIZATION),
    await sendRequest(foreigner, operation, 'org_x'),
  ]
  assert.equal(foreign.status, 404)
  assert.equal(withoutRequestId(foreign), withoutRequestId(unknown))
  assert.equal(withoutRequestId(foreign), withoutRequestId(malformed))
  assert.deepEqual(Object.keys(foreign.headers), Object.keys(unknown.headers))
}

test('same origin: every write is refused unless it comes from a page of the dashboard', async () => {
  const owner = members.get('OWNER')?.visitor ?? anonymous
  const origin = fixture.service.baseUrl
  // biome-ignore format: a table is read by its columns
  const foreign: [name: string, headers: Record<string, string | undefined>][] = [
    ['says nothing',                      { Origin: undefined, 'Sec-Fetch-Site': undefined }],
    ['cross-site',                        { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' }],
    ['a neighboring host',               { Origin: 'http://x.upvane.test', 'Sec-Fetch-Site': 'same-site' }],
    ['typed or bookmarked',               { Origin: undefined, 'Sec-Fetch-Site': 'none' }],
    ['an old browser elsewhere',          { Origin: 'https://evil.example', 'Sec-Fetch-Site': undefined }],
    ['a sandboxed frame',                 { Origin: 'null', 'Sec-Fetch-Site': undefined }],
    ['our address as a beginning',        { Origin: `${origin}.evil.example`, 'Sec-Fetch-Site': undefined }],
    ['our host by another scheme',        { Origin: origin.replace('http:', 'https:'), 'Sec-Fetch-Site': undefined }],
    ['cross-site with our origin',        { Origin: origin, 'Sec-Fetch-Site': 'cross-site' }],
  ]
  const own = [
    { Origin: origin, 'Sec-Fetch-Site': 'same-origin' },
    { Origin: origin, 'Sec-Fetch-Site': undefined },
    { Origin: undefined, 'Sec-Fetch-Site': 'same-origin' },
  ]
  const writes = APP_OPERATIONS.filter(({ method }) => method !== 'GET')
  assert.ok(writes.length > 40)
  const before = await snapshot()
  for (const operation of writes)
    for (const [name, headers] of foreign) {
      const answer = await sendRequest(owner, operation, fixture.orgId, headers)
      assert.equal(answer.status, 403, `${operation.id}: ${name}`)
      // With our host and another scheme, BASE_URL may be wrong, and the message says so.
      const isMisnamed = name === 'our host by another scheme'
      const message = isMisnamed ? /set BASE_URL/ : /did not come from the dashboard/
      assert.match(answer.error.message, message, name)
    }
  assert.equal(await snapshot(), before, 'and nothing was changed')
  for (const headers of own) {
    const path = `/organizations/${fixture.orgId}`
    assert.equal((await owner.patch(path, { name: 'Demo' }, { headers })).status, 200)
  }
  for (const [, headers] of foreign)
    assert.equal((await owner.get('/me', { headers })).status, 200, 'looking is harmless')
})

test('same origin: a form of another site is refused even before its cookie is read', async () => {
  const owner = members.get('OWNER')?.visitor ?? anonymous
  const form = {
    Origin: 'https://evil.example',
    'Sec-Fetch-Site': undefined,
    'Content-Type': 'application/x-www-form-urlencoded',
  }
  for (const visitor of [owner, anonymous])
    assert.equal((await visitor.post('/session', {}, { headers: form })).status, 403)
  const named = { Origin: 'http://up.example.com', Host: 'up.example.com' }
  const misnamed = await anonymous.post('/session', {}, { headers: { ...form, ...named } })
  assert.equal(misnamed.status, 403)
  assert.match(misnamed.error.message, /set BASE_URL to the address you use/)
  assert.ok(!misnamed.text.includes(new URL(fixture.service.baseUrl).host))
  // From the dashboard's own page, but not in the dashboard's format.
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
  ])
    assert.deepEqual(
      (await owner.post('/session', { a: 1 }, { headers: { 'Content-Type': type } })).paths,
      ['content-type'],
    )
})

type Access = 'ALLOWED' | 'FORBIDDEN' | 'UNKNOWN' | 'NO_ORGANIZATION'

function accessOf(answer: ApiResponse): Access {
  const { status } = answer
  if (status < 300) return 'ALLOWED'
  const { message } = answer.error
  if (status === 401 && message === 'Sign in first.') return 'UNKNOWN'
  if (status === 403 && /role|operators of this installation/.test(message)) return 'FORBIDDEN'
  if (message === 'There is no such organization.') return 'NO_ORGANIZATION'
  // Authorized, and then refused because of the request: the ids and bodies here are made up.
  return 'ALLOWED'
}

function mayBy(needed: AppOperation['who'], role: Role): boolean {
  if (needed === 'ANYONE' || needed === 'PERSON') return true
  if (needed === 'OPERATOR') return false
  return ROLES.indexOf(role) >= ROLES.indexOf(needed)
}

/** With an empty body: an authorized caller gets validation errors. */
function sendRequest(
  visitor: Visitor,
  operation: AppOperation,
  organizationId: string,
  headers: Record<string, string | undefined> = {},
): Promise<ApiResponse> {
  if (operation.stream !== undefined) return sendStreamRequest(visitor, operation, organizationId)
  const asking = { headers, ...(operation.body && { body: {} }) }
  return visitor.request(operation.method, pathOf(operation, organizationId), asking)
}

/** A stream does not end for an authorized caller: its start is the response. */
async function sendStreamRequest(
  visitor: Visitor,
  operation: AppOperation,
  organizationId: string,
): Promise<ApiResponse> {
  const follower = await follow(visitor, organizationId)
  if (follower.status !== 200)
    return visitor.request(operation.method, pathOf(operation, organizationId))
  follower.close()
  return new ApiResponse(200, [], '{}')
}

async function restoreHalf(): Promise<void> {
  const owner = members.get('OWNER')
  if (owner !== undefined) await fixture.enter(owner.person, { complete: false, visitor: half })
  anonymous.cookies.clear()
}

function withoutRequestId({ status, json }: ApiResponse): string {
  const { error } = json as { error: Record<string, unknown> }
  return JSON.stringify({ status, ...error, requestId: '' })
}

async function snapshot(): Promise<string> {
  const tables = ['users', 'members', 'invitations', 'api_keys', 'organizations', 'monitors']
  const parts = tables.map((table) =>
    fixture.db.run(`select t::text as row from ${table} t order by 1`),
  )
  return JSON.stringify(await Promise.all(parts))
}
