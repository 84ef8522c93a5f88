// How people sign in: with an invitation, a forgotten password, a second factor, an identity provider.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { findFreePort } from '../../../tools/services/ports.ts'
import { PASSWORD, stepNow, totp } from '../../private/fixture.ts'
import { startProvider } from '../../private/provider.ts'
import { assertSoundOnce } from '../fixture.ts'
import { atFocus, INPUT_METHODS, type InputMethod, mouse } from '../input-methods.ts'
import { linkFor, type Shared, until } from '../shared.ts'

const CLIENT = { client_id: 'upvane', client_secret: 'a secret of theirs' }

const button = (page: Page | Locator, name: string | RegExp) =>
  page.getByRole('button', { name, exact: true })

async function signIn(
  page: Page,
  hand: InputMethod,
  email: string,
  password: string,
): Promise<void> {
  await hand.write(page.getByLabel('Email'), email)
  await hand.write(page.getByLabel('Password', { exact: true }), password)
  await hand.press(button(page, 'Sign in'))
}

export function testPeople(shared: Shared): void {
  for (const hand of INPUT_METHODS) {
    const mailOf = (name: string) => `${name}-${hand.name.replaceAll(' ', '-')}@example.com`

    test(`invitation: mailed, joined with a good password, spent afterward ${hand.name}`, async () => {
      const { fixture, out } = shared
      const [max, moritz] = [mailOf('max'), mailOf('moritz')]
      const admin = await fixture.open(fixture.orgId, 'ADMIN', '/team')
      for (const address of [max, moritz]) {
        await hand.press(button(admin.page, /^Invite/))
        await hand.write(admin.page.getByLabel('Email'), address)
        await hand.choose(admin.page.getByLabel('Role', { exact: true }), 'MEMBER')
        await hand.press(button(admin.page.getByRole('dialog'), 'Invite'))
        await admin.page.getByText(`Invitation sent to ${address}`).waitFor()
        await atFocus(button(admin.page, /^Invite/))
      }
      await hand.press(button(admin.page, `Revoke the invitation of ${moritz}`))
      await hand.press(button(admin.page, 'Revoke invitation'))
      // The row is gone, and the focus moved to the one next to it.
      await button(admin.page, `Revoke the invitation of ${moritz}`).waitFor({ state: 'hidden' })
      await atFocus(button(admin.page, `Revoke the invitation of ${max}`))

      const first = await linkFor(out, max, 'invitation')
      await hand.press(button(admin.page, `Resend the invitation of ${max}`))
      await until('the second mail', () => out.mail.to(max)[1])
      const link = await linkFor(out, max, 'invitation')
      const { page, wrong, close } = await fixture.openStranger(link)
      await hand.write(page.getByLabel('Your name'), `Max ${hand.name}`)
      await hand.write(page.getByLabel('Password', { exact: true }), 'short')
      await hand.press(button(page, 'Join'))
      await page.getByText('Use at least 12 characters.').waitFor()
      await assertSoundOnce(page, hand)
      await hand.write(page.getByLabel('Password', { exact: true }), 'max likes long words')
      await hand.press(button(page, 'Join'))
      await page.waitForURL('**/monitors')
      for (const spent of [link, first, await linkFor(out, moritz, 'invitation')]) {
        await page.goto(spent)
        await page.getByRole('heading', { name: 'This invitation has expired' }).waitFor()
      }
      assert.deepEqual(wrong, [])
      await admin.page.getByRole('cell', { name: new RegExp(`^Max ${hand.name}`) }).waitFor()
      await admin.close()
      await close()
    })

    test(`password: forgotten, mailed, chosen again; the old one is refused ${hand.name}`, async () => {
      const { fixture, out } = shared
      const person = await fixture.addPerson({ name: 'Rita' })
      await fixture.addMember(fixture.orgId, person, 'MEMBER')
      const { page, close } = await fixture.openStranger('/sign-in')
      await hand.press(page.getByRole('link', { name: 'Forgot password?' }))
      await hand.write(page.getByLabel('Email'), person.email)
      await hand.press(button(page, 'Send link'))
      await page.getByRole('heading', { name: 'Check your inbox' }).waitFor()
      await page.goto(await linkFor(out, person.email, 'reset-password'))
      await hand.write(page.getByLabel('New password'), 'rita has other words')
      await hand.press(button(page, 'Change password'))
      await page.getByRole('heading', { name: 'Password changed' }).waitFor()

      await hand.press(page.getByRole('link', { name: 'Go to sign-in' }))
      await signIn(page, hand, person.email, PASSWORD)
      await page.getByRole('alert').waitFor()
      await signIn(page, hand, person.email, 'rita has other words')
      await page.waitForURL('**/monitors')
      await close()
    })

    test(`second factor: set up, asked for, replaced by a recovery code, removed ${hand.name}`, async () => {
      const { fixture } = shared
      const person = await fixture.addPerson({ name: 'Tom' })
      await fixture.addMember(fixture.orgId, person, 'MEMBER')
      const { page, close } = await fixture.openAs(person, '/account')
      await hand.press(button(page, 'Set up an authenticator'))
      await hand.write(page.getByRole('dialog').getByLabel('Password'), PASSWORD)
      await page.keyboard.press('Enter')
      const secret = (await page.locator('.secret code').innerText()).replaceAll(' ', '')
      await assertSoundOnce(page, hand)
      await hand.write(page.getByLabel('6-digit code'), totp(secret, stepNow()))
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Save your recovery codes' }).waitFor()
      const [code = '', second = ''] = await page.locator('.recovery li').allInnerTexts()
      await hand.tick(page.getByLabel("I've saved them"))
      await hand.press(button(page, 'Done'))
      await page.getByText('10 recovery codes left').waitFor()

      const elsewhere = await fixture.openStranger('/sign-in')
      await signIn(elsewhere.page, hand, person.email, PASSWORD)
      // One step ahead of the clock, because the current code is used up.
      const digits = totp(secret, stepNow() + 1)
      for (const [typed, isRight] of [
        ['000000', false],
        [hand === mouse ? code : digits, true],
      ] as const) {
        await hand.write(elsewhere.page.getByLabel('Code'), typed)
        await elsewhere.page.keyboard.press('Enter')
        if (isRight) await elsewhere.page.waitForURL('**/monitors')
        else await elsewhere.page.getByText('Wrong code.').waitFor()
      }
      await elsewhere.close()

      await hand.press(button(page, 'Remove…'))
      await hand.write(page.getByLabel(/6-digit code/), second)
      await page.keyboard.press('Enter')
      await page.getByText('Off. You sign in with just a password.').waitFor()
      await atFocus(button(page, 'Set up an authenticator'))
      await close()
    })
  }

  const provided = lazily(() => startProvided(shared))
  after(() => provided.end())

  for (const hand of INPUT_METHODS)
    test(`identity provider: strangers see why not, an account is linked, signs in there, is unlinked ${hand.name}`, async () => {
      const { fixture } = shared
      const { baseUrl } = await provided.get()
      const person = await fixture.addPerson({ name: 'Ada' })
      await fixture.addMember(fixture.orgId, person, 'MEMBER')
      const { page, close } = await fixture.openStranger(`${baseUrl}/sign-in`)
      const byProvider = page.getByRole('link', { name: 'Continue with Acme ID' })
      await hand.press(byProvider)
      await page.getByText("This account hasn't been invited yet.").waitFor()
      await signIn(page, hand, person.email, PASSWORD)
      await page.waitForURL('**/monitors')
      await page.goto(`${baseUrl}/account`)
      await hand.press(button(page, 'Link with Acme ID'))
      await hand.write(page.getByRole('dialog').getByLabel('Password'), PASSWORD)
      await page.keyboard.press('Enter')
      await page.getByText('Linked with Acme ID').waitFor()
      await assertSoundOnce(page, hand)

      await page.context().clearCookies()
      await page.goto(`${baseUrl}/account`)
      await hand.press(byProvider)
      await page.getByText('Linked with Acme ID').waitFor()
      await hand.press(button(page, 'Unlink…'))
      await hand.press(button(page, 'Unlink'))
      await page.getByText('Not linked').waitFor()
      await atFocus(button(page, 'Link with Acme ID'))
      await close()
    })
}

/** A provider that knows Ada, and another process of the product that trusts it. */
async function startProvided({ fixture }: Shared) {
  const port = await findFreePort()
  const baseUrl = `http://127.0.0.1:${port}`
  const redirect_uris = [`${baseUrl}/app/sign-in/oidc/callback`]
  const provider = await startProvider([{ ...CLIENT, redirect_uris }])
  provider.account = 'ada'
  provider.people.set('ada', { email: 'ada@example.org', email_verified: true, name: 'Ada' })
  const env = {
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: CLIENT.client_id,
    OIDC_CLIENT_SECRET: CLIENT.client_secret,
    OIDC_NAME: 'Acme ID',
  }
  const service = await fixture.stack.start('api', { port, env })
  return {
    baseUrl,
    async close() {
      await service.stop()
      await provider.close()
    },
  }
}

/** Created when a test first needs it, and closed only if it was created. */
function lazily<T extends { close(): Promise<void> }>(make: () => Promise<T>) {
  let made: Promise<T> | undefined
  return {
    get() {
      made ??= make()
      return made
    },
    end: async () => (await made)?.close(),
  }
}
