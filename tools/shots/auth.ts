// Every page before sign-in.
import type { Page } from 'playwright-core'
import { changing, respondingWith, type Shot } from './shot.ts'

const TOKEN = '#a-token-of-some-length'

const authShot = (name: string, path: string, more: Partial<Shot> = {}): Shot => ({
  name,
  path,
  isAuth: true,
  ...more,
})
const withSession = (fields: object) => ({ before: changing('**/app/api/session', fields) })

function passkeyShots(): Shot[] {
  const half = { step: 'SECOND_FACTOR', canPasskey: true, secondFactors: ['PASSKEY'] }
  return [
    authShot('sign-in-passkey', '/sign-in', withSession({ canPasskey: true })),
    authShot('sign-in-second-passkey', '/sign-in', withSession(half)),
  ]
}

export function authShots(): Shot[] {
  const mail = withSession({ canMail: true })
  return [
    authShot('sign-in-refused', '/sign-in', { act: signInWrongly }),
    authShot(
      'sign-in-provider',
      '/sign-in',
      withSession({ identityProvider: 'Acme', canMail: true }),
    ),
    ...passkeyShots(),
    authShot(
      'sign-in-second-factor',
      '/sign-in',
      withSession({ step: 'SECOND_FACTOR', secondFactors: ['AUTHENTICATOR'] }),
    ),
    authShot('sign-in-nobody-yet', '/sign-in', withSession({ step: 'SET_UP' })),
    authShot('forgot-password', '/sign-in?forgot=1', mail),
    authShot('forgot-password-sent', '/sign-in?forgot=1', {
      async before(page) {
        await mail.before(page)
        await respondingWith('**/app/api/password-resets', {}, 202)(page)
      },
      async act(page) {
        await page.getByLabel('Email').fill('ana.keller@acme.example')
        await page.getByRole('button', { name: 'Send link' }).click()
        await page.getByText('Check your inbox').waitFor()
      },
    }),
    authShot('link-ended', '/reset-password'),
    authShot('invitation-ended', '/invitation'),
    authShot('invitation-account', `/invitation${TOKEN}`, { before: asInvited(true) }),
    authShot('invitation-signed-in', `/invitation${TOKEN}`, {
      before: asInvited(false),
      isAuth: false,
    }),
    authShot('not-found', '/monitors/none/at/all', { isAuth: false }),
    authShot('no-organization', '/monitors', {
      isAuth: false,
      before: changing('**/app/api/me', { organizations: [] }),
    }),
  ]
}

async function signInWrongly(page: Page): Promise<void> {
  await page.getByLabel('Email').fill('nobody@acme.example')
  await page.getByLabel('Password', { exact: true }).fill('not the password')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('alert').waitFor()
}

export const asInvited = (hasAccount: boolean) =>
  respondingWith('**/app/api/invitations/read', {
    organization: 'Acme',
    invitedBy: 'Ana Keller',
    email: 'lena.hofmann@acme.example',
    role: 'MEMBER',
    hasAccount,
  })
