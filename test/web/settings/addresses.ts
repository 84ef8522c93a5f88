// URLs that would run a script when followed: refused in every URL field, with an error at the field.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { createTeam, type Team } from '../../private/screens.ts'
import type { Shared } from '../shared.ts'

/** Browsers treat the last three like the first. */
const HOSTILE = [
  'javascript:hacked=1',
  'data:text/html,<script>hacked=1</script>',
  'vbscript:hacked=1',
  'blob:https://example.com/1',
  'JaVaScRiPt:hacked=1',
  ' javascript:hacked=1',
  'java\nscript:hacked=1',
] as const
const [TYPED] = HOSTILE

const CHANNELS_WITH_ADDRESS = [
  'SLACK',
  'DISCORD',
  'TEAMS',
  'GOOGLE_CHAT',
  'MATTERMOST',
  'ROCKET_CHAT',
  'ALERTMANAGER',
  'WEBHOOK',
  'CUSTOM_WEBHOOK',
]
const PAGE_ADDRESSES = ['logoUrl', 'faviconUrl', 'homepageUrl', 'supportUrl']

/** Everything that accepts a URL: the endpoint, and the field that is refused. */
const writes: readonly (readonly [path: string, field: string, body: (url: string) => object])[] = [
  ...['HTTP', 'KEYWORD'].map(
    (type) =>
      ['/monitors', 'url', (url: string) => ({ name: 'A', type, keyword: 'a', url })] as const,
  ),
  ...['SSL', 'DNS', 'DOMAIN'].map(
    (type) => ['/monitors', 'url', (url: string) => ({ name: 'A', type, url })] as const,
  ),
  ['/monitor-trials', 'url', (url) => ({ name: 'A', type: 'HTTP', url })],
  ['/webhook-endpoints', 'url', (url) => ({ url, eventTypes: ['*'] })],
  ...CHANNELS_WITH_ADDRESS.map(
    (channel) =>
      [
        '/alert-contacts',
        'settings.url',
        (url: string) => ({ name: 'A', channel, settings: { url } }),
      ] as const,
  ),
  ...['NTFY', 'GOTIFY', 'MATRIX', 'SIGNAL', 'GITLAB_ISSUES', 'APPRISE'].map(
    (channel) =>
      [
        '/alert-contacts',
        'settings.server',
        (server: string) => ({ name: 'A', channel, settings: { server } }),
      ] as const,
  ),
  ...PAGE_ADDRESSES.map(
    (field) => ['/status-pages', field, (url: string) => ({ name: 'A', [field]: url })] as const,
  ),
]

/** One form, and the labels of its fields. */
type Form = {
  path: string
  send: string
  labels: string[]
  prepare?: (page: Page) => Promise<void>
}

const CHANNEL_LABELS = [
  'Slack',
  'Discord',
  'Microsoft Teams',
  'Google Chat',
  'Mattermost',
  'Rocket.Chat',
  'Webhook',
  'ntfy',
]

const forms: readonly Form[] = [
  { path: '/monitors/new', send: 'Create monitor', labels: ['URL'] },
  { path: '/webhooks/new', send: 'Create endpoint', labels: ['URL'] },
  ...CHANNEL_LABELS.map((channel) => ({
    path: '/alert-contacts/new',
    send: 'Create contact',
    labels: [channel === 'ntfy' ? 'Server' : 'Webhook URL'],
    prepare: (page: Page) => page.getByRole('radio', { name: channel, exact: true }).check(),
  })),
  {
    path: '/status-pages/new',
    send: 'Create status page',
    labels: [
      'Logo URL optional',
      'Logo link optional',
      'Support link optional',
      'Favicon URL optional',
    ],
  },
]

const LEADING = `[...document.querySelectorAll('[href], [src], [action], [formaction]')]
  .flatMap((one) => ['href', 'src', 'action', 'formaction'].map((name) => one.getAttribute(name)))
  .filter((address) => /^[\\s\\0-\\x20]*(javascript|data|vbscript|blob):/i.test(address ?? ''))`

export function testAddresses(shared: Shared): void {
  let team: Team

  test('addresses: what would run is refused by the server, at its field', async () => {
    team ??= await createTeam(shared.fixture)
    for (const [path, field, toBody] of writes)
      for (const url of HOSTILE) {
        const body = toBody(url)
        const answer = await team.owner.post(`/organizations/${team.orgId}${path}`, body)
        const what = `${path} ${JSON.stringify(body)}: ${answer.text}`
        assert.equal(answer.status, 400, what)
        const { error } = answer.json as { error: { details: { path: string }[] } }
        assert.ok(
          error.details.some((one) => one.path === field),
          what,
        )
      }
  })

  test('addresses: what would run is reported at the field that it was typed into, and leads nowhere', async () => {
    team ??= await createTeam(shared.fixture)
    const { page, wrong, close } = await shared.fixture.open(team.orgId, 'OWNER', '/monitors')
    for (const { path, send, labels, prepare } of forms) {
      await page.goto(path)
      await prepare?.(page)
      const name = page.getByLabel('Name', { exact: true })
      await page.getByLabel(labels[0] ?? '', { exact: true }).waitFor()
      if (await name.isVisible()) await name.fill('A')
      if (await page.getByLabel('Topic').isVisible()) await page.getByLabel('Topic').fill('a')
      for (const label of labels) await page.getByLabel(label, { exact: true }).fill(TYPED)
      await page.getByRole('button', { name: send, exact: true }).click()
      for (const label of labels)
        await page.getByLabel(label, { exact: true }).and(page.locator('[aria-invalid]')).waitFor()
      for (const frame of page.frames())
        assert.deepEqual(await frame.evaluate(LEADING), [], `${path} ${labels}`)
    }
    assert.equal(await page.evaluate('globalThis.hacked'), undefined)
    assert.deepEqual(wrong, [])
    await close()
  })
}
