// How people come in: by an invitation, a forgotten password, a second factor, an identity provider.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { findFreePort } from '../../../tools/services/ports.ts'
import { PASSWORD, stepNow, totp } from '../../app/bench.ts'
import { startProvider } from '../../app/provider.ts'
import { assertSound } from '../bench.ts'
import { linkFor, type Shared } from './shared.ts'

async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.goto('/sign-in')
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

export function testPeople(shared: Shared): void {
  test('invitation: mailed, joined with a good password, spent afterwards', async () => {
    const { bench, out } = shared
    const admin = await bench.open(bench.orgId, 'ADMIN', '/team')
    await admin.page.getByRole('button', { name: 'Invite' }).click()
    await admin.page.getByLabel('E-mail').fill('max@example.com')
    await admin.page.getByLabel('Role', { exact: true }).selectOption('MEMBER')
    await admin.page.getByRole('dialog').getByRole('button', { name: 'Invite' }).click()
    await admin.page.getByText('A mail is on its way to max@example.com').waitFor()

    const link = await linkFor(out, 'max@example.com', 'invitation')
    const { page, wrong, close } = await bench.openStranger(link)
    await page.getByLabel('Your name').fill('Max')
    await page.getByLabel('Password', { exact: true }).fill('short')
    await page.getByRole('button', { name: 'Join' }).click()
    await page.getByText('Must have at least 12 characters.').waitFor()
    await assertSound(page)
    await page.getByLabel('Password', { exact: true }).fill('max likes long words')
    await page.getByRole('button', { name: 'Join' }).click()
    await page.waitForURL('**/monitors')
    await page.goto(link)
    await page.getByRole('heading', { name: /does not work any more/ }).waitFor()
    assert.deepEqual(wrong, [])
    await admin.page.getByRole('cell', { name: /^Max/ }).waitFor()
    await admin.close()
    await close()
  })

  test('password: forgotten, mailed, chosen anew; the old one is refused', async () => {
    const { bench, out } = shared
    const person = await bench.addPerson({ name: 'Rita' })
    await bench.addMember(bench.orgId, person, 'MEMBER')
    const { page, close } = await bench.openStranger('/sign-in')
    await page.getByRole('link', { name: 'Forgot it?' }).click()
    await page.getByLabel('E-mail').fill(person.email)
    await page.getByRole('button', { name: 'Send the link' }).click()
    await page.getByRole('heading', { name: 'Look into your mail' }).waitFor()
    await page.goto(await linkFor(out, person.email, 'reset-password'))
    await page.getByLabel('New password').fill('rita has other words')
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByRole('heading', { name: 'Your password is changed' }).waitFor()

    await signIn(page, person.email, PASSWORD)
    await page.getByRole('alert').waitFor()
    await signIn(page, person.email, 'rita has other words')
    await page.waitForURL('**/monitors')
    await close()
  })

  test('second factor: set up, asked for, replaced by a recovery code, removed', async () => {
    const { bench } = shared
    const person = await bench.addPerson({ name: 'Tom' })
    await bench.addMember(bench.orgId, person, 'MEMBER')
    const { page, close } = await bench.openAs(person, '/account')
    await page.getByRole('button', { name: 'Set up an authenticator' }).click()
    await page.getByRole('dialog').getByLabel('Password').fill(PASSWORD)
    await page.keyboard.press('Enter')
    const secret = (await page.locator('.secret code').innerText()).replaceAll(' ', '')
    await assertSound(page)
    await page.getByLabel('Six digits').fill(totp(secret, stepNow()))
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Keep these recovery codes' }).waitFor()
    const [code = '', second = ''] = await page.locator('.recovery li').allInnerTexts()
    await page.getByLabel('I have stored them').check()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByText('10 recovery codes left').waitFor()

    const elsewhere = await bench.openStranger('/sign-in')
    await signIn(elsewhere.page, person.email, PASSWORD)
    await elsewhere.page.getByLabel('Code').fill('000000')
    await elsewhere.page.keyboard.press('Enter')
    await elsewhere.page.getByText('The code is wrong.').waitFor()
    await assertSound(elsewhere.page)
    await elsewhere.page.getByLabel('Code').fill(code)
    await elsewhere.page.keyboard.press('Enter')
    await elsewhere.page.waitForURL('**/monitors')
    await elsewhere.close()

    await page.getByRole('button', { name: 'Remove it…' }).click()
    await page.getByLabel(/Six digits/).fill(second)
    await page.keyboard.press('Enter')
    await page.getByText('You sign in with a password alone').waitFor()
    await close()
  })

  test('identity provider: strangers are told why not, an account is linked, signs in there, is unlinked', async () => {
    const { bench } = shared
    const port = await findFreePort()
    const baseUrl = `http://127.0.0.1:${port}`
    const client = { client_id: 'upvane', client_secret: 'a secret of theirs' }
    const redirect_uris = [`${baseUrl}/app/sign-in/oidc/callback`]
    const provider = await startProvider([{ ...client, redirect_uris }])
    provider.account = 'ada'
    provider.people.set('ada', { email: 'ada@example.org', email_verified: true, name: 'Ada' })
    const env = {
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: client.client_id,
      OIDC_CLIENT_SECRET: client.client_secret,
      OIDC_NAME: 'Acme ID',
    }
    const service = await bench.stack.start('api', { port, env })
    const person = await bench.addPerson({ name: 'Ada' })
    await bench.addMember(bench.orgId, person, 'MEMBER')

    const { page, close } = await bench.openAs(person, `${baseUrl}/sign-in`)
    await page.context().clearCookies()
    await page.goto(`${baseUrl}/sign-in`)
    await page.getByRole('link', { name: 'Continue with Acme ID' }).click()
    await page.getByText('Nobody has invited this account yet.').waitFor()
    await page.getByLabel('E-mail').fill(person.email)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.waitForURL('**/monitors')
    await page.goto(`${baseUrl}/account`)
    await page.getByRole('button', { name: 'Link with Acme ID' }).click()
    await page.getByRole('dialog').getByLabel('Password').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByText('Linked with Acme ID').waitFor()
    await assertSound(page)

    await page.context().clearCookies()
    await page.goto(`${baseUrl}/account`)
    await page.getByRole('link', { name: 'Continue with Acme ID' }).click()
    await page.getByText('Linked with Acme ID').waitFor()
    await page.getByRole('button', { name: 'Unlink…' }).click()
    await page.getByRole('button', { name: 'Unlink', exact: true }).click()
    await page.getByText('Not linked').waitFor()
    await close()
    await service.stop()
    await provider.close()
  })
}
