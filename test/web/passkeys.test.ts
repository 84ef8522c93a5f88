// Passkeys in Chromium with its virtual authenticator: added on the account page, used to sign in by button and by the
// suggestions of the email field, asked for after a password, removed.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { findFreePort } from '../../tools/services/ports.ts'
import { PASSWORD } from '../private/fixture.ts'
import { assertSound, startWebFixture, type WebFixture } from './fixture.ts'
import { atFocus, INPUT_METHODS, type InputMethod, mouse } from './input-methods.ts'

let fixture: WebFixture
let baseUrl: string

before(async () => {
  fixture = await startWebFixture()
  // Browsers use passkeys only at a host with a name.
  const port = await findFreePort()
  baseUrl = `http://localhost:${port}`
  await fixture.stack.start('api', { port, env: { BASE_URL: baseUrl } })
})
after(() => fixture.stop())

const button = (page: Page | Locator, name: string | RegExp) =>
  page.getByRole('button', { name, exact: true })

/** A device with a screen lock that its owner unlocks at once. */
async function addAuthenticator(page: Page) {
  const protocol = await page.context().newCDPSession(page)
  await protocol.send('WebAuthn.enable')
  const { authenticatorId } = await protocol.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    count: async () =>
      (await protocol.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length,
    /** Whether its owner is there, and whether they are who they say. */
    async answer(how: { present: boolean; verified: boolean }) {
      const { present: enabled, verified: isUserVerified } = how
      await protocol.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })
      await protocol.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
    },
  }
}

async function openAccount(name: string) {
  const person = await fixture.addPerson({ name })
  await fixture.addMember(fixture.orgId, person, 'MEMBER')
  const session = (await fixture.enter(person)).cookies.get('upvane') ?? ''
  const opened = await fixture.openStranger(`${baseUrl}/sign-in`)
  const { page } = opened
  await page.context().addCookies([{ name: 'upvane', value: session, url: baseUrl }])
  const authenticator = await addAuthenticator(page)
  await page.goto(`${baseUrl}/account`)
  return { ...opened, person, authenticator }
}

async function addPasskey(page: Page, hand: InputMethod, name: string): Promise<void> {
  await hand.press(button(page, 'Add a passkey'))
  const dialog = page.getByRole('dialog')
  await hand.write(dialog.getByLabel('Name'), name)
  await hand.write(dialog.getByLabel('Password'), PASSWORD)
  await page.keyboard.press('Enter')
}

async function keepCodes(page: Page, hand: InputMethod): Promise<string[]> {
  await page.getByRole('heading', { name: 'Save your recovery codes' }).waitFor()
  const codes = await page.locator('.recovery li').allInnerTexts()
  await hand.tick(page.getByLabel("I've saved them"))
  await hand.press(button(page, 'Done'))
  return codes
}

/** Without the suggestions of the email field, which the virtual authenticator would answer by itself. */
async function signOut(page: Page, { suggests = false } = {}): Promise<void> {
  if (!suggests)
    await page.addInitScript(
      'PublicKeyCredential.isConditionalMediationAvailable = async () => false',
    )
  await page.context().clearCookies()
  await page.goto(`${baseUrl}/sign-in?returnTo=/account`)
}

for (const hand of INPUT_METHODS)
  test(`passkey: added, signs in, is asked for after the password, removed ${hand.name}`, async () => {
    const { page, person, wrong, close } = await openAccount('Pia')
    await addPasskey(page, hand, 'Laptop')
    const codes = await keepCodes(page, hand)
    assert.equal(codes.length, 10)
    await page.getByText('10 recovery codes left').waitFor()
    await page.getByText('not used yet').waitFor()
    await atFocus(button(page, 'Add a passkey'))
    if (hand === mouse) await assertSound(page)

    await signOut(page)
    await hand.press(button(page, 'Continue with a passkey'))
    await page.waitForURL('**/account')
    await page.getByText(/last used/).waitFor()

    await signOut(page)
    await hand.write(page.getByLabel('Email'), person.email)
    await hand.write(page.getByLabel('Password', { exact: true }), PASSWORD)
    await hand.press(button(page, 'Sign in'))
    await page.getByRole('heading', { name: 'One more step' }).waitFor()
    if (hand === mouse) await assertSound(page)
    if (hand === mouse) await hand.press(button(page, 'Continue with a passkey'))
    else {
      await hand.write(page.getByLabel('Recovery code'), codes[0] ?? '')
      await page.keyboard.press('Enter')
    }
    await page.waitForURL('**/account')

    await hand.press(button(page, 'Remove Laptop'))
    await hand.write(page.getByRole('dialog').getByLabel('Password'), 'wrong')
    await page.keyboard.press('Enter')
    await page.getByText('Is not your password.').waitFor()
    await hand.write(page.getByRole('dialog').getByLabel('Password'), PASSWORD)
    await hand.press(button(page, 'Remove passkey'))
    await page.getByText('None yet.').waitFor()
    await atFocus(button(page, 'Add a passkey'))
    await signOut(page)
    await hand.press(button(page, 'Continue with a passkey'))
    await page.getByText('This passkey was not accepted.').waitFor()
    assert.deepEqual(
      wrong.filter((line) => !line.startsWith(`outside ${baseUrl}`)),
      [],
    )
    await close()
  })

test('passkey: chosen among the suggestions of the email field', async () => {
  const { page, close } = await openAccount('Sue')
  await addPasskey(page, mouse, 'Phone')
  await keepCodes(page, mouse)
  await signOut(page, { suggests: true })
  // The virtual authenticator chooses the first suggestion by itself.
  await page.waitForURL('**/account')
  await page.getByText(/last used/).waitFor()
  await close()
})

test('passkey: a person who declines or is not recognized stays signed out, with a sentence about it', async () => {
  const { page, authenticator, close } = await openAccount('Dora')
  await authenticator.answer({ present: true, verified: false })
  await addPasskey(page, mouse, 'Tablet')
  await page.getByText('No passkey was created. Try again.').waitFor()
  assert.equal(await authenticator.count(), 0)
  await authenticator.answer({ present: true, verified: true })
  await page.keyboard.press('Escape')
  await addPasskey(page, mouse, 'Tablet')
  await keepCodes(page, mouse)

  await addPasskey(page, mouse, 'Twice')
  await page.getByText('This device already has a passkey for your account.').waitFor()

  await authenticator.answer({ present: true, verified: false })
  await signOut(page)
  await button(page, 'Continue with a passkey').click()
  await page.getByText('No passkey was used.').waitFor()
  assert.match(page.url(), /sign-in/)
  await assertSound(page)
  await close()
})

test('passkey: where passkeys cannot work, the page says why, and sign-in offers none', async () => {
  const opened = await fixture.open(fixture.orgId, 'MEMBER', '/account')
  const add = button(opened.page, 'Add a passkey')
  await opened.page.getByText('Passkeys need a server with a domain name and HTTPS.').waitFor()
  assert.equal(await add.getAttribute('aria-disabled'), 'true')
  await opened.close()
  const stranger = await fixture.openStranger('/sign-in')
  await button(stranger.page, 'Sign in').waitFor()
  assert.equal(await button(stranger.page, 'Continue with a passkey').count(), 0)
  await stranger.close()
})
