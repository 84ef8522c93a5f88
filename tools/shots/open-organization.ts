// Dialogs and menus on the screens for contacts, keys, members and the account. Writes get a mocked response.
import type { Page, Route as Request } from 'playwright-core'
import type { Things } from './routes.ts'
import { respondingWith, type Shot } from './shot.ts'

const CHANNELS = [
  'Slack',
  'Discord',
  'Microsoft Teams',
  'Telegram',
  'Google Chat',
  'PagerDuty',
  'Opsgenie',
  'ntfy',
  'Pushover',
  'Webhook',
]
const KEY = 'upv_1wCbQAGY1j96QAeUOx88Pju7lmEhK1Vt4Zhaab'
const FACTOR_KEY = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'

export const shot = (name: string, path: string, more: Partial<Shot> = {}): Shot => ({
  name,
  path,
  isAuth: false,
  ...more,
})

export const press = (name: string | RegExp) => (page: Page) =>
  page.getByRole('button', { name }).first().click()

export async function openDialog(page: Page, name: string | RegExp): Promise<void> {
  await press(name)(page)
  await page.getByRole('dialog').waitFor()
}

/** Chooses an item in the first matching menu. */
export async function chooseInMenu(page: Page, menu: RegExp, item: RegExp): Promise<void> {
  await press(menu)(page)
  await page.getByRole('menuitem', { name: item }).click()
}

export async function submit(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole('button', { name }).last().click()
  await page.locator('[aria-invalid=true], [role=alert]').first().waitFor()
}

/** Rejects writes with a problem at this field. */
export const refusing = (address: string, path: string, message: string) => {
  const error = { code: 'validation_error', message: 'Nothing was saved.', requestId: 'req_01m7' }
  return respondingWith(address, { error: { ...error, details: [{ path, message }] } }, 400)
}

/** Modifies the response of a read. */
export const reading =
  <T>(address: string, change: (body: T) => unknown) =>
  async (page: Page): Promise<void> => {
    await page.route(address, async (route: Request) => {
      const answer = await route.fetch()
      // Safe because only the page's own reads are named.
      await route.fulfill({ json: change((await answer.json()) as T) })
    })
  }

export const openOrganization = (things: Things): Shot[] => [
  ...contactShots(things),
  ...keyShots(),
  ...teamShots(),
  ...settingsShots(),
  ...accountShots(),
  ...factorShots(),
  ...passkeyShots(),
]

function contactShots({ contactId = '' }: Things): Shot[] {
  const open = (name: string, act: Shot['act']) =>
    shot(name, `/alert-contacts?contact=${contactId}`, act && { act })
  return [
    shot('alert-contact-open', '/alert-contacts', { act: press(/^Open/) }),
    open('alert-contact-tested', async (page) => {
      await page.locator('tr.is-open').getByRole('button', { name: /^Test/ }).click()
      await page.locator('.sent .state:not(.is-none)').first().waitFor()
    }),
    open('alert-contact-monitors', (page) => openDialog(page, 'Choose monitors')),
    open('alert-contact-remove', (page) => openDialog(page, /^Remove/)),
    shot('alert-contact-new-quiet', '/alert-contacts/new', {
      act: (page) => page.getByRole('switch', { name: /Quiet hours/ }).click(),
    }),
    shot('alert-contact-refused', '/alert-contacts/new', {
      async act(page) {
        await page.getByLabel('Name').fill('Somebody')
        await page.getByLabel('Email address').fill('somebody@acme.example')
        for (const state of await page.locator('.tells input').all()) await state.uncheck()
        await submit(page, 'Create contact')
      },
    }),
    ...CHANNELS.map((channel) =>
      shot(`alert-contact-new-${channel.toLowerCase().replace(' ', '-')}`, '/alert-contacts/new', {
        act: (page) =>
          page.getByRole('radio', { name: channel, exact: true }).check({ force: true }),
      }),
    ),
  ]
}

function keyShots(): Shot[] {
  const made = {
    id: 'key_01m7e43y1ne6a8002504v5j15s',
    name: 'Terraform',
    access: 'FULL',
    expiresAt: null,
    key: KEY,
  }
  return [
    shot('api-key-new', '/api-keys', { act: (page) => openDialog(page, 'New key') }),
    shot('api-keys-all', '/api-keys?show=all'),
    shot('api-key-made', '/api-keys?new=1', {
      before: respondingWith('**/keys', made),
      async act(page) {
        await page.getByLabel('Name').fill('Terraform')
        await press('Create key')(page)
        await page.getByText('Try it').waitFor()
      },
    }),
    shot('api-key-replace', '/api-keys', {
      act: (page) => chooseInMenu(page, /^More for/, /Replace/),
    }),
    shot('api-key-revoke', '/api-keys', {
      act: (page) => chooseInMenu(page, /^More for/, /Revoke/),
    }),
  ]
}

function teamShots(): Shot[] {
  const link = 'https://upvane.example/invitation#k3Jd93kf0aPq7Zx2mVn8Lw5TtYbR1cEhUoGsIi6Q4'
  const invited = { id: 'inv_01', email: 'lena@acme.example', role: 'MEMBER', mailed: false, link }
  return [
    shot('team-invite', '/team', { act: (page) => openDialog(page, 'Invite') }),
    shot('team-invite-refused', '/team?invite=1', {
      async act(page) {
        await page.getByLabel('Email').fill('tomas.ruiz@acme.example')
        await submit(page, 'Invite')
      },
    }),
    shot('team-invited', '/team?invite=1', {
      before: respondingWith('**/invitations', invited),
      async act(page) {
        await page.getByLabel('Email').fill(invited.email)
        await page.getByRole('button', { name: 'Invite' }).last().click()
        await page.getByText('Share this link').waitFor()
      },
    }),
    shot('team-roles', '/team', { act: (page) => openDialog(page, 'Roles') }),
    shot('team-remove', '/team', {
      act: (page) => chooseInMenu(page, /^More for (?!Ana)/, /Remove/),
    }),
    shot('team-withdraw', '/team', { act: (page) => openDialog(page, /^Revoke the invitation/) }),
    shot('audit-log-one', '/audit-log?action=pauseMonitor'),
    shot('audit-log-open', '/audit-log?action=updateMonitor', {
      act: (page) =>
        page
          .getByRole('button', { name: /^Details of/ })
          .nth(2)
          .click(),
    }),
    shot('audit-log-search', '/audit-log?q=Checkout&period=90'),
    shot('audit-log-none', '/audit-log?action=renameOrganization&actor=Mei+Lin'),
  ]
}

type Usage = { usage: Record<string, { used: number; limit: number | null }> }

function settingsShots(): Shot[] {
  const LIMITS: Record<string, number> = { monitors: 42, statusPages: 10, webhookEndpoints: 3 }
  return [
    shot('settings-near-limits', '/settings', {
      before: reading<Usage>('**/app/api/organizations/org_*', (body) => ({
        ...body,
        plan: 'TEAM',
        usage: Object.fromEntries(
          Object.entries(body.usage).map(([what, { used }]) => [
            what,
            { used, limit: LIMITS[what] ?? 10 },
          ]),
        ),
      })),
    }),
    shot('settings-delete', '/settings', {
      act: (page) => openDialog(page, 'Delete organization…'),
    }),
    shot('organization-deleting', '/monitors', {
      before: changingOwn({ eraseAt: new Date(Date.now() + 7 * 86_400_000).toISOString() }),
    }),
    shot('organization-needs-factor', '/monitors', {
      before: changingOwn({ needsSecondFactor: true }),
    }),
  ]
}

type Memberships = { organizations: object[] }

const changingOwn = (change: object) =>
  reading<Memberships>('**/app/api/me', ({ organizations, ...me }) => ({
    ...me,
    organizations: organizations.map((one) => ({ ...one, ...change })),
  }))

function factorShots(): Shot[] {
  const begun = {
    secret: FACTOR_KEY,
    address: `otpauth://totp/Upvane:demo%40example.com?secret=${FACTOR_KEY}&issuer=Upvane`,
  }
  const recoveryCodes = Array.from({ length: 10 }, (_, at) => `k3jd9-3kf0${at}`)
  const begin = async (page: Page) => {
    await openDialog(page, 'Set up an authenticator')
    await page.getByLabel('Password').last().fill('watch the vane turn')
    await press('Continue')(page)
    await page.getByText('Or enter this key').waitFor()
  }
  const factor = respondingWith('**/me/second-factor', begun)
  return [
    shot('account-factor-ask', '/account', {
      act: (page) => openDialog(page, 'Set up an authenticator'),
    }),
    shot('account-factor-scan', '/account', {
      before: factor,
      act: begin,
    }),
    shot('account-factor-codes', '/account', {
      async before(page) {
        await factor(page)
        await respondingWith('**/me/second-factor/confirm', { recoveryCodes })(page)
      },
      async act(page) {
        await begin(page)
        await page.getByLabel('6-digit code').fill('123456')
        await press('Confirm')(page)
        await page.getByText('Save your recovery codes').waitFor()
      },
    }),
  ]
}

type Me = { person: Record<string, unknown> }

function accountShots(): Shot[] {
  return [
    shot('account-password-refused', '/account', {
      async act(page) {
        await page.getByLabel('Current password').fill('not the password')
        await page.getByLabel('New password').fill('short')
        await submit(page, 'Change password')
      },
    }),
    shot('account-linked', '/account', {
      async before(page) {
        await reading<object>('**/app/api/session', (body) => ({
          ...body,
          identityProvider: 'Acme sign-in',
        }))(page)
        await reading<Me>('**/app/api/me', ({ person, ...rest }) => ({
          ...rest,
          person: { ...person, isLinked: true, secondFactor: true, recoveryCodesLeft: 8 },
        }))(page)
      },
    }),
  ]
}

function passkeyShots(): Shot[] {
  const data = [
    { name: 'Chrome on macOS', lastUsedAt: '2026-11-16T08:02:00Z' },
    { name: 'YubiKey 5C', lastUsedAt: null },
  ].map((one, at) => ({
    id: `pky_01m7e43y1ne6a8002504v5j15${at}`,
    createdAt: '2026-11-02T09:30:00Z',
    ...one,
  }))
  const person = { secondFactor: true, hasAuthenticator: false, recoveryCodesLeft: 9 }
  const before = async (page: Page) => {
    await reading<object>('**/app/api/session', (body) => ({ ...body, canPasskey: true }))(page)
    await reading('**/app/api/me/passkeys', () => ({ data }))(page)
    await reading<Me>('**/app/api/me', (me) => ({
      ...me,
      person: { ...me.person, ...person },
    }))(page)
  }
  return [
    shot('account-passkeys', '/account', { before }),
    shot('account-passkey-add', '/account', {
      before,
      act: (page) => openDialog(page, 'Add a passkey'),
    }),
    shot('account-passkey-remove', '/account', {
      before,
      act: (page) => openDialog(page, 'Remove YubiKey 5C'),
    }),
  ]
}
