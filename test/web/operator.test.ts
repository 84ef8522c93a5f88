// The operator's page in Chromium: signed in with a password and a code, held back when the sign-in is old, and nothing of
// it for anybody else.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { PASSWORD, type Person, stepNow, totp } from '../private/fixture.ts'
import { markOperator } from '../private/operators.ts'
import { assertNarrow, assertSound, startWebFixture, type WebFixture } from './fixture.ts'

let fixture: WebFixture

before(async () => {
  fixture = await startWebFixture({ command: 'start' })
})
after(() => fixture.stop())

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const section = (page: Page, name: string) =>
  page.locator('.form-grid', { has: page.getByRole('heading', { name, exact: true }) })

/** With an authenticator app and recovery codes. */
async function addOperator(): Promise<{ person: Person; secret: string; codes: string[] }> {
  const { person, visitor } = await fixture.join(fixture.orgId, 'MEMBER')
  await markOperator(fixture.db, person, { hasSecondFactor: false })
  const begun = await visitor.post('/me/second-factor', { current: PASSWORD })
  const { secret } = begun.json as { secret: string }
  const code = totp(secret, stepNow() - 1)
  const confirmed = await visitor.post('/me/second-factor/confirm', { code })
  const { recoveryCodes: codes } = confirmed.json as { recoveryCodes: string[] }
  return { person, secret, codes }
}

async function signIn(page: Page, { email }: Person, secret: string): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await button(page, 'Sign in').click()
  await page.getByLabel('Code').fill(totp(secret, stepNow()))
  await button(page, 'Sign in').click()
}

const outdate = ({ uuid }: Person) =>
  fixture.db.run(
    `update sessions set created_at = now() - interval '11 minutes' where user_id = $1`,
    [uuid],
  )

test('an operator signs in with a code and sees what runs, and what needs attention', async () => {
  const { person, secret } = await addOperator()
  const { page, wrong, close } = await fixture.openStranger('/sign-in')
  await signIn(page, person, secret)
  await page.getByRole('link', { name: 'Installation' }).click()
  await page.getByRole('heading', { name: 'Installation', level: 1 }).waitFor()
  const processes = section(page, 'Processes')
  await processes.getByText('Running', { exact: true }).first().waitFor()
  assert.match(await processes.innerText(), /version \d+\.\d+\.\d+, api, scheduler/)
  await section(page, 'Probes').getByText('Live', { exact: true }).waitFor()
  assert.match(await section(page, 'Storage').innerText(), /Database\s+\d+\sMB[\s\S]+free of/)
  assert.match(await section(page, 'Email').innerText(), /Email isn't set up/)
  await assertSound(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await assertNarrow(page)
  assert.deepEqual(wrong, [])
  await close()
})

test('an old sign-in: what was read stays until a code is given; a wrong one keeps the person on the page', async () => {
  const { person, codes } = await addOperator()
  const { page, wrong, close } = await fixture.openAs(person, '/operator')
  await section(page, 'Processes').getByText('Running', { exact: true }).first().waitFor()
  await outdate(person)
  await page.reload()
  await page.getByRole('heading', { name: "Confirm it's you" }).waitFor()
  assert.equal(await section(page, 'Processes').count(), 0)
  await page.getByLabel('Code').fill('000000')
  await button(page, 'Confirm').click()
  await page.getByText('That was not accepted. Try again.').waitFor()
  await assertSound(page)
  await page.getByLabel('Code').fill(codes[0] ?? '')
  await button(page, 'Confirm').click()
  await section(page, 'Processes').getByText('Running', { exact: true }).first().waitFor()
  assert.equal(new URL(page.url()).pathname, '/operator')
  await outdate(person)
  await page
    .getByText('This page is not updated anymore. Confirm to go on.')
    .waitFor({ timeout: 40_000 })
  assert.equal(await section(page, 'Processes').count(), 1)
  assert.deepEqual(wrong, [])
  await close()
})

test('without a second factor the page leads to the account; an owner has no link and sees nothing', async () => {
  const { person } = await fixture.join(fixture.orgId, 'MEMBER')
  await markOperator(fixture.db, person, { hasSecondFactor: false })
  const bare = await fixture.openAs(person, '/operator')
  await bare.page.getByRole('link', { name: 'Go to your account' }).click()
  await bare.page.waitForURL('**/account')
  await bare.close()
  const owner = await fixture.open(fixture.orgId, 'OWNER', '/operator')
  await owner.page.getByRole('heading', { name: 'Only operators see this page' }).waitFor()
  assert.equal(await owner.page.getByRole('link', { name: 'Installation' }).count(), 0)
  assert.deepEqual(owner.wrong, [])
  await owner.close()
})
