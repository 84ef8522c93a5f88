// The doors: every way to stand before the dashboard and not be in it.
import type { Page } from 'playwright-core'
import { answering, changing, type Shot } from './shot.ts'

const TOKEN = '#a-token-of-some-length'

export function gateShots(): Shot[] {
  const gate = (name: string, path: string, more: Partial<Shot> = {}): Shot => ({
    name,
    path,
    isGate: true,
    ...more,
  })
  const standing = (facts: object) => ({ before: changing('**/app/api/session', facts) })
  const mail = standing({ canMail: true })
  return [
    gate('sign-in-refused', '/sign-in', { act: signInWrongly }),
    gate('sign-in-provider', '/sign-in', standing({ identityProvider: 'Acme', canMail: true })),
    gate('sign-in-second-factor', '/sign-in', standing({ step: 'SECOND_FACTOR' })),
    gate('sign-in-nobody-yet', '/sign-in', standing({ step: 'SET_UP' })),
    gate('forgot-password', '/sign-in?forgot=1', mail),
    gate('forgot-password-sent', '/sign-in?forgot=1', {
      async before(page) {
        await mail.before(page)
        await answering('**/app/api/password-resets', {}, 202)(page)
      },
      async act(page) {
        await page.getByLabel('E-mail').fill('ana.keller@acme.example')
        await page.getByRole('button', { name: 'Send the link' }).click()
        await page.getByText('Look into your mail').waitFor()
      },
    }),
    gate('link-ended', '/reset-password'),
    gate('invitation-ended', '/invitation'),
    gate('invitation-account', `/invitation${TOKEN}`, { before: asInvited(true) }),
    gate('invitation-signed-in', `/invitation${TOKEN}`, {
      before: asInvited(false),
      isGate: false,
    }),
    gate('not-found', '/monitors/none/at/all', { isGate: false }),
    gate('no-organization', '/monitors', {
      isGate: false,
      before: changing('**/app/api/me', { organizations: [] }),
    }),
  ]
}

async function signInWrongly(page: Page): Promise<void> {
  await page.getByLabel('E-mail').fill('nobody@acme.example')
  await page.getByLabel('Password', { exact: true }).fill('not the password')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('alert').waitFor()
}

export const asInvited = (hasAccount: boolean) =>
  answering('**/app/api/invitations/read', {
    organization: 'Acme',
    invitedBy: 'Ana Keller',
    email: 'lena.hofmann@acme.example',
    role: 'MEMBER',
    hasAccount,
  })
