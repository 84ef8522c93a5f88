import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  type DbFixture,
  newMasterKeys,
  startDbFixture,
} from '../../../../test/db-kit/db-fixture.ts'
import { Database } from '../../../store/core/db.ts'
import { PeopleSecrets } from '../../../store/people/people-secrets.ts'
import { type ProviderFlows, providerFlows } from './provider-flow.ts'

const WISH = { returnTo: '/', linkTo: null }
const TEN_MINUTES_MS = 600_000

let fixture: DbFixture
let people: Database
let flows: ProviderFlows

before(async () => {
  fixture = await startDbFixture()
  const { name } = await fixture.openDatabase()
  const url = fixture.postgres.databaseUrl(name)
  people = new Database({ url, role: 'upvane_people', connections: 1 }, () => {})
  flows = providerFlows('http://localhost', new PeopleSecrets(newMasterKeys('first')))
})
after(async () => {
  await people?.close()
  await fixture?.stop()
})

/** The Cookie header for a Set-Cookie. */
const headersOf = (cookie: string) => ({ cookie: cookie.split(';', 1)[0] ?? '' })

test('a sign-in at the provider ends after ten minutes, also for a browser that keeps its cookie', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() })
  const { flow, cookie } = await flows.begin(people, WISH)
  const resume = () => flows.resume(people, headersOf(cookie), flow.state)
  t.mock.timers.tick(TEN_MINUTES_MS - 1)
  assert.deepEqual(await resume(), flow)
  t.mock.timers.tick(1)
  assert.equal(await resume(), undefined)
})

test('a sign-in at the provider is resumed by its own state and cookie alone', async () => {
  const [one, other] = [await flows.begin(people, WISH), await flows.begin(people, WISH)]
  assert.equal(await flows.resume(people, headersOf(one.cookie), other.flow.state), undefined)
  assert.equal(await flows.resume(people, {}, one.flow.state), undefined)
  assert.deepEqual(await flows.resume(people, headersOf(one.cookie), one.flow.state), one.flow)
})
