// What providers refuse, by status: 401 and 404 end the delivery, 410 ends the contact, 429 waits as long as it says.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { ProviderResponse } from '../../kit/providers/form.ts'
import { accountOf, PROVIDERS } from './accounts.ts'
import { startAlertFixture } from './fixture.ts'

const fixture = await startAlertFixture()
const { admin, contacts, standIn, until } = fixture
after(() => fixture.stop())

// Receivers of your own follow no convention: what they refuse is tried again.
const OWN = new Set(['WEBHOOK', 'CUSTOM_WEBHOOK'])
const WAIT_SECONDS = 2

/** A contact whose provider responds this way, and one test alert to it. */
async function sendTest(channel: string, response: ProviderResponse) {
  const { settings, path } = accountOf(channel, standIn.origin, `s${response.status}`)
  standIn.answers.set(path, response)
  const name = `${channel} ${response.status}`
  const id = await fixture.createContact({ name, channel, settings })
  const before = standIn.at(path).length
  const answer = await admin.post(`${contacts}/${id}/test`)
  assert.equal(answer.status, 201, answer.text)
  const requests = () => standIn.at(path).length - before
  const first = await until('the first attempt', async () => {
    const [delivery] = await fixture.deliveriesTo(id)
    return delivery !== undefined && delivery.attemptCount > 0 && delivery
  })
  return { id, path, first, requests }
}

async function dismiss(id: string, path: string): Promise<void> {
  standIn.answers.delete(path)
  assert.equal((await admin.delete(`${contacts}/${id}`)).status, 200)
}

const givenUp = async (id: string) =>
  ((await admin.get(`${contacts}/${id}`)).json as { givenUp: boolean }).givenUp

function testRefusals(channel: string): void {
  for (const status of [401, 404])
    test(`${channel} ${status}: not sent again, unless the receiver is your own`, async () => {
      const { id, path, first } = await sendTest(channel, { status, body: 'refused' })
      assert.equal(first.lastResponseStatus, status)
      assert.equal(first.status, OWN.has(channel) ? 'PENDING' : 'FAILED', first.error ?? '')
      assert.match(first.error ?? '', new RegExp(`${status}`))
      assert.equal(await givenUp(id), false)
      await dismiss(id, path)
    })

  test(`${channel} 410: nothing is sent anymore, unless it may be a deleted issue`, async () => {
    const { id, path, first, requests } = await sendTest(channel, { status: 410, body: 'gone' })
    assert.deepEqual([first.status, first.attemptCount, requests()], ['FAILED', 1, 1])
    if (channel === 'GITHUB_ISSUES') assert.equal(await givenUp(id), false)
    else await until('that it is given up', () => givenUp(id))
    await dismiss(id, path)
  })

  test(`${channel} 429: sent again when Retry-After says so, and not before`, async () => {
    const headers = { 'retry-after': `${WAIT_SECONDS}` }
    const startMs = performance.now()
    const { id, path, first, requests } = await sendTest(channel, { status: 429, headers })
    assert.deepEqual([first.status, first.lastResponseStatus, requests()], ['PENDING', 429, 1])
    standIn.answers.delete(path)
    await until('the second attempt', async () => {
      const [delivery] = await fixture.deliveriesTo(id)
      return delivery?.status === 'SUCCEEDED'
    })
    const waitedMs = performance.now() - startMs
    assert.ok(waitedMs >= WAIT_SECONDS * 1_000 - 100, `it waited ${waitedMs} ms`)
    assert.equal(requests(), 2)
    await dismiss(id, path)
  })
}

// Several channels at once, but one response at a time for each.
describe('refusals', { concurrency: 6 }, () => {
  for (const channel of PROVIDERS)
    describe(channel, { concurrency: 1 }, () => testRefusals(channel))
})
