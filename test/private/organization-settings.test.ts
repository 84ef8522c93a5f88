// What an owner decides for everyone: deleting the organization, requiring a second factor, the time zone. Every
// operation of the private API is tried by members who are shut out.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { Organization } from '../kit/fixture.ts'
import type { Visitor } from '../kit/private-client.ts'
import type { ApiResponse } from '../kit/response.ts'
import {
  type AppFixture,
  PASSWORD,
  type Person,
  ROLES,
  type Role,
  startAppFixture,
  stepNow,
  totp,
} from './fixture.ts'
import { follow } from './follower.ts'
import { APP_OPERATIONS, type AppOperation, pathOf } from './operations.ts'

// Twice the time between two checks of who may follow.
const STREAM_ENDS_MS = 5_000
const DAY_MS = 86_400_000
const NAME = 'Bench'
const OF_MEMBERS = APP_OPERATIONS.filter(({ path }) => path.includes('{organizationId}'))

type Member = { person: Person; visitor: Visitor }
type Me = {
  organizations: {
    id: string
    timezone: string | null
    eraseAt: string | null
    needsSecondFactor: boolean
  }[]
}

let fixture: AppFixture
before(async () => {
  fixture = await startAppFixture()
})
after(() => fixture.stop())

async function open(): Promise<{ organization: Organization; path: string; owner: Member }> {
  const organization = await fixture.createOrganization()
  const owner = await fixture.join(organization.id, 'OWNER')
  return { organization, path: `/organizations/${organization.id}`, owner }
}

async function ownOf({ visitor }: Member, { id }: Organization) {
  const { organizations } = (await visitor.get('/me')).json as Me
  return organizations.find((one) => one.id === id)
}

async function setUpSecondFactor(visitor: Visitor): Promise<void> {
  const begun = (await visitor.post('/me/second-factor', { current: PASSWORD })).json as {
    secret: string
  }
  const code = totp(begun.secret, stepNow())
  assert.equal((await visitor.post('/me/second-factor/confirm', { code })).status, 200)
}

/** With an empty body, which an operation refuses only after it let the caller in. */
function attempt(visitor: Visitor, operation: AppOperation, orgId: string): Promise<ApiResponse> {
  const asking = operation.body ? { body: {} } : {}
  return visitor.request(operation.method, pathOf(operation, orgId), asking)
}

/** Every operation but those named is refused for this reason, to every role. */
async function assertShutOut(
  { id: orgId }: Organization,
  members: ReadonlyMap<Role, Member>,
  { reason, open: allowed }: { reason: RegExp; open: readonly string[] },
): Promise<void> {
  assert.ok(OF_MEMBERS.length > 90, `${OF_MEMBERS.length} operations`)
  for (const operation of OF_MEMBERS)
    for (const [role, { visitor }] of members) {
      if (allowed.includes(operation.id)) continue
      const { status, text } = await attempt(visitor, operation, orgId)
      assert.equal(status, 403, `${operation.id} for ${role}: ${text}`)
      assert.match(text, reason, `${operation.id} for ${role}`)
    }
}

async function joinAll(orgId: string): Promise<Map<Role, Member>> {
  const members = new Map<Role, Member>()
  for (const role of ROLES) members.set(role, await fixture.join(orgId, role))
  return members
}

describe('second factor', () => {
  test('only an owner requires it, and only with one of their own', async () => {
    const { organization, path, owner } = await open()
    const admin = await fixture.join(organization.id, 'ADMIN')
    const require = ({ visitor }: Member, required = true) =>
      visitor.patch(`${path}/second-factor`, { required })
    assert.equal((await require(admin)).status, 403)
    const refused = await require(owner)
    assert.equal(refused.status, 409)
    assert.match(refused.error.message, /Set up two-factor authentication for your own account/)
    await setUpSecondFactor(owner.visitor)
    assert.equal((await require(owner)).status, 200)
    const { requiresSecondFactor } = (await owner.visitor.get(path)).json as {
      requiresSecondFactor: boolean
    }
    assert.equal(requiresSecondFactor, true)
    assert.equal((await require(admin, false)).status, 403, 'and nobody without one ends it')
    assert.equal((await require(owner, false)).status, 200)
    assert.equal((await admin.visitor.get(path)).status, 200)
  })

  test('a setting that is not a boolean is refused', async () => {
    const { path, owner } = await open()
    for (const required of ['true', 1, null, [], undefined])
      assert.equal((await owner.visitor.patch(`${path}/second-factor`, { required })).status, 400)
  })

  test('no operation of the organization lets a member without one in, whatever their role', async () => {
    const { organization, path, owner } = await open()
    const members = await joinAll(organization.id)
    await setUpSecondFactor(owner.visitor)
    await owner.visitor.patch(`${path}/second-factor`, { required: true })
    const reason = /requires two-factor authentication/
    await assertShutOut(organization, members, { reason, open: ['leaveOrganization'] })
    for (const method of ['GET', 'POST', 'PATCH', 'DELETE'])
      for (const [, { visitor }] of members) {
        const spelled = `/organizations/${organization.id}//members`
        assert.ok([404, 405].includes((await visitor.request(method, spelled)).status))
      }
    assert.equal((await organization.api.get('/monitors')).status, 200, 'API keys are not affected')
    assert.equal((await owner.visitor.get(`${path}/members`)).status, 200)
  })

  test('they can set one up, and are in at once; without it again, they are out at once', async () => {
    const { organization, path, owner } = await open()
    await setUpSecondFactor(owner.visitor)
    await owner.visitor.patch(`${path}/second-factor`, { required: true })
    const member = await fixture.join(organization.id, 'MEMBER')
    assert.equal((await ownOf(member, organization))?.needsSecondFactor, true)
    assert.equal((await member.visitor.get(`${path}/monitors`)).status, 403)
    // Begun is not confirmed.
    const begun = await member.visitor.post('/me/second-factor', { current: PASSWORD })
    assert.equal((await member.visitor.get(`${path}/monitors`)).status, 403)
    const { secret } = begun.json as { secret: string }
    const code = totp(secret, stepNow())
    const confirmed = await member.visitor.post('/me/second-factor/confirm', { code })
    assert.equal((await member.visitor.get(`${path}/monitors`)).status, 200)
    assert.equal((await ownOf(member, organization))?.needsSecondFactor, false)
    const [recovery = ''] = (confirmed.json as { recoveryCodes: string[] }).recoveryCodes
    assert.equal(
      (await member.visitor.post('/me/second-factor/remove', { code: recovery })).status,
      200,
    )
    assert.equal((await member.visitor.get(`${path}/monitors`)).status, 403)
    assert.equal((await member.visitor.post(`${path}/leave`)).status, 200)
  })

  test('a stream that is open ends, and other organizations of the person are not affected', async () => {
    const { organization, path, owner } = await open()
    const member = await fixture.join(organization.id, 'READ_ONLY')
    await fixture.addMember(fixture.orgId, member.person, 'READ_ONLY')
    const follower = await follow(member.visitor, organization.id)
    assert.equal(follower.status, 200)
    await setUpSecondFactor(owner.visitor)
    await owner.visitor.patch(`${path}/second-factor`, { required: true })
    await follower.until('its end', ({ isOver }) => isOver)
    assert.equal((await follow(member.visitor, organization.id)).status, 403)
    const elsewhere = await member.visitor.get(`/organizations/${fixture.orgId}/monitors`)
    assert.equal(elsewhere.status, 200)
  })

  test('the team shows admins who has none', async () => {
    const { organization, path, owner } = await open()
    await fixture.join(organization.id, 'MEMBER')
    await setUpSecondFactor(owner.visitor)
    const { data } = (await owner.visitor.get(`${path}/members`)).json as {
      data: { role: string; secondFactor: boolean | null }[]
    }
    const found = Object.fromEntries(data.map(({ role, secondFactor }) => [role, secondFactor]))
    assert.deepEqual(found, { OWNER: true, MEMBER: false })
  })
})

describe('deletion', () => {
  const remove = (visitor: Visitor, path: string, name: unknown = NAME) =>
    visitor.post(`${path}/deletion`, { name })

  test('needs an owner and the name, as it is written', async () => {
    const { organization, path, owner } = await open()
    for (const role of ['READ_ONLY', 'MEMBER', 'ADMIN'] as const) {
      const { visitor } = await fixture.join(organization.id, role)
      assert.equal((await remove(visitor, path)).status, 403, role)
    }
    for (const name of ['', 'bench', 'Bench 2', 'x'.repeat(1000)])
      assert.deepEqual((await remove(owner.visitor, path, name)).paths, ['name'], name)
    assert.deepEqual((await owner.visitor.post(`${path}/deletion`, {})).paths, ['name'])
    for (const name of [null, 7, ['Bench'], 'x'.repeat(1001)])
      assert.equal((await remove(owner.visitor, path, name)).status, 400)
    assert.equal((await organization.api.get('/monitors')).status, 200, 'nothing was deleted')
    assert.equal((await owner.visitor.delete(`${path}/deletion`)).status, 409, 'nothing to undo')
  })

  test('for seven days keys and pages are gone, members are shut out, and jobs are not disturbed', async () => {
    const { organization, path, owner } = await open()
    const { api } = organization
    const { url, ping } = await publish(organization)
    const follower = await follow(owner.visitor, organization.id)
    const before = Date.now()
    const deleted = await remove(owner.visitor, path, ' Bench ')
    assert.equal(deleted.status, 200, deleted.text)
    const { eraseAt } = deleted.json as { eraseAt: string }
    assert.ok(Math.abs(Date.parse(eraseAt) - before - 7 * DAY_MS) < 60_000, eraseAt)

    const refused = await api.get('/monitors')
    const unknown = await api.as(`${organization.key.slice(0, -1)}x`).get('/monitors')
    assert.equal(refused.status, 401)
    assert.equal(refused.error.message, unknown.error.message, 'like any key that does not work')
    await until(async () => (await fetch(url)).status === 404)
    for (const more of ['/history', '/feed.rss', '/summary.json', '/badge.svg'])
      assert.equal((await fetch(url + more)).status, 404, more)
    assert.equal((await fetch(ping)).status, 200)
    assert.equal((await ownOf(owner, organization))?.eraseAt, eraseAt)
    await follower.until('its end', ({ isOver }) => isOver)

    const members = await joinAll(organization.id)
    const free = ['restoreOrganization', 'leaveOrganization']
    await assertShutOut(organization, members, { reason: /is being deleted/, open: free })
    for (const role of ['READ_ONLY', 'MEMBER', 'ADMIN'] as const)
      assert.equal((await members.get(role)?.visitor.delete(`${path}/deletion`))?.status, 403)
    assert.equal((await members.get('READ_ONLY')?.visitor.post(`${path}/leave`))?.status, 200)
  })

  test('any owner undoes it, once, and everything is back', async () => {
    const { organization, path, owner } = await open()
    const { url } = await publish(organization)
    await remove(owner.visitor, path)
    await until(async () => (await fetch(url)).status === 404)
    const { visitor: other } = await fixture.join(organization.id, 'OWNER')
    assert.equal((await other.delete(`${path}/deletion`)).status, 200)
    assert.equal((await other.delete(`${path}/deletion`)).status, 409)
    assert.equal((await organization.api.get('/monitors')).status, 200)
    await until(async () => (await fetch(url)).status === 200)
    assert.equal((await owner.visitor.get(`${path}/monitors`)).status, 200)
    const log = (await owner.visitor.get(`${path}/audit-log`)).json as {
      data: { action: string }[]
    }
    const actions = log.data.map(({ action }) => action)
    assert.ok(actions.includes('deleteOrganization') && actions.includes('restoreOrganization'))
  })

  test('an owner without the second factor that is required must set it up before undoing', async () => {
    const { organization, path, owner } = await open()
    const other = await fixture.join(organization.id, 'OWNER')
    await setUpSecondFactor(owner.visitor)
    await owner.visitor.patch(`${path}/second-factor`, { required: true })
    await remove(owner.visitor, path)
    const refused = await other.visitor.delete(`${path}/deletion`)
    assert.equal(refused.status, 403)
    assert.match(refused.error.message, /two-factor/)
    await setUpSecondFactor(other.visitor)
    assert.equal((await other.visitor.delete(`${path}/deletion`)).status, 200)
  })

  test('once erasing may begin, nothing undoes it, and nobody sees it', async () => {
    const { organization, path, owner } = await open()
    await remove(owner.visitor, path)
    await fixture.db.run('update organizations set erase_at = now() where id = $1', [
      organization.uuid,
    ])
    const late = await owner.visitor.delete(`${path}/deletion`)
    assert.equal(late.status, 409)
    assert.match(late.error.message, /already being erased/)
    await fixture.db.run(`update organizations set erase_at = 'epoch' where id = $1`, [
      organization.uuid,
    ])
    assert.equal((await owner.visitor.delete(`${path}/deletion`)).status, 404)
    assert.equal(await ownOf(owner, organization), undefined)
  })

  test('ten requests at once delete it once', async () => {
    const { organization, path, owner } = await open()
    const all = await Promise.all(Array.from({ length: 10 }, () => remove(owner.visitor, path)))
    const done = all.filter(({ status }) => status === 200)
    assert.equal(done.length, 1)
    for (const { status } of all) assert.ok([200, 403, 409].includes(status), `${status}`)
    const logged = `org_id = $1 and action = 'deleteOrganization'`
    assert.equal(await fixture.db.count('audit_log', logged, [organization.uuid]), 1)
  })

  test('deleted organizations count until they are erased: deleting makes no room for more', async () => {
    const person = await fixture.addPerson()
    const visitor = await fixture.enter(person)
    const first = await fixture.createOrganization()
    await fixture.addMember(first.id, person, 'OWNER')
    let made = 0
    for (; made < 100; made++) {
      const answer = await visitor.post('/organizations', { name: NAME })
      if (answer.status !== 201) break
      const { id } = answer.json as { id: string }
      assert.equal((await remove(visitor, `/organizations/${id}`)).status, 200)
    }
    assert.ok(made > 0 && made < 100, `${made} organizations`)
  })
})

describe('time zone', () => {
  test('an admin sets it, members read it, and null gives it back to browsers', async () => {
    const { organization, path, owner } = await open()
    const admin = await fixture.join(organization.id, 'ADMIN')
    const member = await fixture.join(organization.id, 'MEMBER')
    assert.equal((await ownOf(owner, organization))?.timezone, null)
    const change = ({ visitor }: Member, timezone: unknown) =>
      visitor.patch(`${path}/timezone`, { timezone })
    assert.equal((await change(member, 'Europe/Zurich')).status, 403)
    assert.equal((await change(admin, 'Europe/Zurich')).status, 200)
    assert.equal((await ownOf(member, organization))?.timezone, 'Europe/Zurich')
    for (const wrong of ['Mars/Olympus', '+02:00', '', 'x'.repeat(65), 7, undefined])
      assert.deepEqual((await change(admin, wrong)).paths, ['timezone'], String(wrong))
    assert.equal((await change(admin, null)).status, 200)
    assert.equal((await ownOf(member, organization))?.timezone, null)
    const { data } = (await owner.visitor.get(`${path}/audit-log?action=changeTimezone`)).json as {
      data: { changes: unknown[] }[]
    }
    assert.deepEqual(data[1]?.changes, [{ field: 'timezone', from: null, to: 'Europe/Zurich' }])
  })
})

/** A status page, and a job with its address. */
async function publish({ api, id }: Organization): Promise<{ url: string; ping: URL }> {
  const page = { name: 'Page', slug: id.slice(-12), sections: [] }
  const { url } = (await api.post('/status-pages', page)).json as { url: string }
  assert.equal((await fetch(url)).status, 200)
  const job = await api.createMonitor({ type: 'CRON', name: 'Job', expectedPeriodSec: 3600 })
  const { pathname } = new URL(job.heartbeatUrl ?? '')
  return { url, ping: new URL(pathname, fixture.service.baseUrl) }
}

async function until(look: () => Promise<boolean>): Promise<void> {
  const endMs = performance.now() + STREAM_ENDS_MS
  while (!(await look())) {
    assert.ok(performance.now() < endMs, 'in time')
    await delay(50)
  }
}
