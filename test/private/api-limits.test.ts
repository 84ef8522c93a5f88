// The private API's limits: requests per minute, and API keys per organization.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { toUuid } from '../kit/ids.ts'
import { type AppFixture, startAppFixture } from './fixture.ts'

const PER_SESSION = 20
const PER_ORGANIZATION = 30
const PER_NETWORK = 10
const MAX_KEYS = 50
const KEY = { name: 'Key', access: 'FULL', expiresAt: null }

let fixture: AppFixture
before(async () => {
  fixture = await startAppFixture(
    {
      APP_REQUESTS_PER_SESSION: String(PER_SESSION),
      APP_REQUESTS_PER_ORGANIZATION: String(PER_ORGANIZATION),
      APP_REQUESTS_PER_NETWORK: String(PER_NETWORK),
    },
    { own: true },
  )
})
after(() => fixture.stop())

/** Keys that nobody uses. */
async function addKeys(orgUuid: string, count: number): Promise<void> {
  await fixture.db.run(
    `insert into api_keys (id, org_id, name, access, hash, last4)
     select new_uuid(), $1, 'Key', 'FULL', sha256(convert_to(n || $3, 'UTF8')), '0000'
       from generate_series(1, $2) n`,
    [orgUuid, count, orgUuid],
  )
}

describe('requests in a minute', { concurrency: 4 }, () => {
  test('429: a session that asks too often learns when to retry, and no other session is', async () => {
    const { id } = await fixture.createOrganization()
    const [greedy, other] = [
      await fixture.join(id, 'READ_ONLY'),
      await fixture.join(id, 'READ_ONLY'),
    ]
    const path = `/organizations/${id}/monitors`
    const answers = await Promise.all(
      Array.from({ length: 3 * PER_SESSION }, () => greedy.visitor.get(path)),
    )
    const refused = answers.filter(({ status }) => status === 429)
    assert.equal(answers.length - refused.length, PER_SESSION)
    for (const { code, headers } of refused) {
      assert.equal(code, 'rate_limited')
      const seconds = Number(headers['retry-after'])
      assert.ok(seconds >= 1 && seconds <= 60, `Retry-After: ${seconds}`)
    }
    // Refused requests do not count toward the organization's limit.
    for (let n = 0; n < PER_ORGANIZATION - PER_SESSION; n++)
      assert.equal((await other.visitor.get(path)).status, 200)
    assert.equal((await other.visitor.get(path)).status, 429, 'the organization has its share')
    assert.equal((await other.visitor.get('/me')).status, 200, 'what is not the organization’s')
  })

  test('429: visitors without a session are counted by their network', async () => {
    const [busy, other] = [fixture.visitor(), fixture.visitor()]
    for (let n = 0; n < PER_NETWORK; n++) assert.equal((await busy.get('/session')).status, 200)
    assert.equal((await busy.get('/session')).status, 429)
    assert.equal((await other.get('/session')).status, 200)
  })
})

describe('createKey', () => {
  test('409: many at once create no more than 50, and a key that ended makes room', async () => {
    const { id, uuid } = await fixture.createOrganization()
    const { visitor } = await fixture.join(id, 'ADMIN')
    // One was created with the organization.
    await addKeys(uuid, MAX_KEYS - 6)
    const path = `/organizations/${id}/keys`
    const answers = await Promise.all(Array.from({ length: 12 }, () => visitor.post(path, KEY)))
    const created = answers.filter(({ status }) => status === 201)
    assert.equal(created.length, 5)
    for (const answer of answers)
      if (answer.status !== 201) assert.equal(answer.code, 'conflict', answer.text)

    const ids = created.map(({ json }) => (json as { id: string }).id)
    const [keyId = ''] = ids
    const replaced = await visitor.post(`${path}/${keyId}/replace`, { graceHours: 24 })
    assert.equal(replaced.code, 'conflict', 'a replacement beside a key that goes on working')
    await fixture.db.run('update api_keys set expires_at = now() where id = $1', [toUuid(keyId)])
    assert.equal((await visitor.post(path, KEY)).status, 201)
    assert.equal((await visitor.post(path, KEY)).code, 'conflict')
  })

  test('the operator sees the same', async () => {
    const { id, uuid } = await fixture.createOrganization()
    await addKeys(uuid, MAX_KEYS - 1)
    await assert.rejects(
      fixture.operate(['key', 'create', '--org', id, '--name', 'One more']),
      /at most 50 API keys/,
    )
  })
})

describe('connections to the database', () => {
  test('more than the server allows are warned about at start, and no others', async () => {
    // The test database server allows 200.
    const many = await fixture.stack.start('api', { env: { DATABASE_CONNECTIONS: '190' } })
    const few = await fixture.stack.start('api')
    const warning = /may open more connections than the database allows/
    assert.match(logOf(many.baseUrl), warning)
    assert.doesNotMatch(logOf(few.baseUrl), warning)
    await Promise.all([many.stop(), few.stop()])
  })
})

function logOf(baseUrl: string): string {
  return readFileSync(join(fixture.stack.directory, `service-${new URL(baseUrl).port}.log`), 'utf8')
}
