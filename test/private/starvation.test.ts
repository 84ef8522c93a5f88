// What one person does with one session, as fast as possible, slows down nobody else.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { Organization } from '../kit/fixture.ts'
import { toUuid } from '../kit/ids.ts'
import type { ApiResponse } from '../kit/response.ts'
import { type AppFixture, PASSWORD, startAppFixture } from './fixture.ts'

// Hashing takes a whole core, so the bound is generous; without the guards it was seconds.
const QUICK_MS = 300
const PASSWORD_CHANGES = 60

let fixture: AppFixture
before(async () => {
  // No email is sent here: the setting only enables the feature.
  fixture = await startAppFixture({
    SMTP_URL: 'smtp://127.0.0.1:1',
    SMTP_FROM: 'status@example.com',
  })
})
after(() => fixture.stop())

async function timesOf(count: number, ask: () => Promise<ApiResponse>): Promise<number[]> {
  const times: number[] = []
  for (let n = 0; n < count; n++) {
    const startMs = performance.now()
    const { status } = await ask()
    times.push(performance.now() - startMs)
    assert.equal(status, 200)
  }
  return times
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

describe('one session of another organization', () => {
  test('60 parallel password changes of a page: lists stay quick, and all are done', async () => {
    const attacker = await fixture.createOrganization('FREE')
    const { visitor } = await fixture.join(attacker.id, 'OWNER')
    const path = `/organizations/${attacker.id}/status-pages`
    const made = await visitor.post(path, { name: 'Status' })
    const { id } = made.json as { id: string }
    const list = () => fixture.api.get('/monitors')
    await list()
    const quiet = median(await timesOf(20, list))

    let isOver = false
    const change = async (n: number) => {
      for (let round = 0; !isOver; round++) {
        const password = `a long password ${n} ${round}`
        assert.equal((await visitor.patch(`${path}/${id}`, { password })).status, 200)
      }
    }
    const changes = Array.from({ length: PASSWORD_CHANGES }, (_, n) => change(n))
    await delay(500)
    const busy = await timesOf(20, list)
    isOver = true
    await Promise.all(changes)
    const bound = Math.max(10 * quiet, QUICK_MS)
    assert.ok(median(busy) < bound, `${median(busy)} ms, in quiet ${quiet} ms`)
  })

  test('60 changes of an account that wait for a lock: others find their account at once', async () => {
    const { id } = await fixture.createOrganization()
    const [busy, other] = [await fixture.join(id, 'OWNER'), await fixture.join(id, 'OWNER')]
    let changes: Promise<ApiResponse>[] = []
    const lock = 'select from users where id = $1 for update'
    const times = await fixture.db.holding(lock, [busy.person.uuid], async () => {
      changes = Array.from({ length: 60 }, (_, n) =>
        busy.visitor.patch('/me', { name: `Name ${n}` }),
      )
      await delay(300)
      return timesOf(10, () => other.visitor.get('/me'))
    })
    assert.ok(median(times) < QUICK_MS, `${median(times)} ms`)
    for (const { status } of await Promise.all(changes)) assert.equal(status, 200)
  })

  test('150 guesses at a page at once: too many get 429, and signing in stays possible', async () => {
    const owner = await fixture.createOrganization()
    const fields = { name: 'Status', slug: `locked-${Date.now()}`, password: 'a long password' }
    assert.equal((await owner.api.post('/status-pages', fields)).status, 201)
    const person = await fixture.addPerson()
    // Each from a separate address: the per-address limit is not under test here.
    const guesses = Array.from({ length: 150 }, () =>
      fixture.visitor().exchange('POST', `/status/${fields.slug}/unlock`, { body: {} }),
    )
    await delay(100)
    const signedIn = await fixture.visitor().signIn(person.email, PASSWORD)
    assert.equal(signedIn.status, 200)
    const answers = await Promise.all(guesses)
    const statuses = new Set(answers.map(({ status }) => status))
    assert.deepEqual(statuses, new Set([401, 429]))
    for (const { status, headers } of answers)
      if (status === 429) assert.equal(headers['retry-after'], '1')
  })
})

describe('visitors of one organization’s status page', () => {
  test('subscriptions that wait for a lock keep no other organization’s page waiting', async () => {
    const [busy, other] = [await fixture.createOrganization(), await fixture.createOrganization()]
    const page = async ({ api }: Organization, slug: string) => {
      const made = await api.post('/status-pages', { name: 'Status', slug })
      assert.equal(made.status, 201, made.text)
      return (made.json as { id: string }).id
    }
    const [own, theirs] = [`busy-${Date.now()}`, `other-${Date.now()}`]
    const [id] = [await page(busy, own), await page(other, theirs)]
    const path = `/status/${theirs}/subscribe`
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
    let asked: Promise<number>[] = []
    const lock = 'select from status_pages where id = $1 for update'
    const times = await fixture.db.holding(lock, [toUuid(id)], async () => {
      asked = Array.from({ length: 20 }, async (_, n) => {
        const headers = {
          ...form,
          'X-Forwarded-For': `10.200.0.${n}`,
          Origin: fixture.service.baseUrl,
        }
        const body = new URLSearchParams({ email: `reader-${n}@example.com` })
        const url = `${fixture.service.baseUrl}/status/${own}/subscribe`
        return (await fetch(url, { method: 'POST', headers, body })).status
      })
      await delay(500)
      return timesOf(10, () => fixture.visitor().exchange('GET', path))
    })
    assert.ok(median(times) < QUICK_MS, `${median(times)} ms`)
    assert.deepEqual(new Set(await Promise.all(asked)), new Set([200]))
  })
})
