// The product with a mail relay, status pages, and visitors who use nothing but pages and emails.
import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import type { Environment, Service } from '../../../tools/stack.ts'
import type { Client } from '../../kit/client.ts'
import { type ProductFixture, startProduct } from '../../kit/fixture.ts'
import { nextLookMs } from '../../kit/pace.ts'
import {
  type Received,
  type SinkOptions,
  type SmtpSink,
  startSmtpSink,
} from '../../kit/smtp-sink.ts'

export const FROM = 'status@upvane.example'
const WAIT_MS = 60_000
// Longer than one cycle of planning, claiming and sending.
const QUIET_MS = 2_500
// A kill costs an attempt 25 s; everything else is quick.
const SCHEDULE = Array(12).fill('0.3').join(',')

type Component = { id: string; name: string }
export type Page = { id: string; slug: string; name: string; url: string; components: Component[] }
type Verb = 'confirm' | 'manage' | 'unsubscribe'

type SubscriberFixture = ProductFixture & {
  sink: SmtpSink
  /** Addresses the relay does not know. */
  refuse: Set<string>
  env: Environment
  dispatcher: Service
  createPage(fields?: Record<string, unknown>, api?: Client): Promise<Page>
  /** Waits for the nth email to an address. */
  emailTo(address: string, nth?: number): Promise<Received>
  /** Subscribes and confirms, as a visitor would. Returns the confirmation token. */
  join(page: Page, address: string, components?: readonly Component[]): Promise<string>
  publish(page: Page, fields?: Record<string, unknown>): Promise<string>
  /** Asserts that nothing more arrives. */
  quiet(): Promise<void>
  stop(): Promise<void>
}

export async function startSubscriberFixture(
  options: { env?: Environment; sink?: SinkOptions } = {},
): Promise<SubscriberFixture> {
  const refuse = new Set<string>()
  const judge = (to: string) =>
    refuse.has(to) ? { code: 550, words: `5.1.1 <${to}>: nobody` } : 'TAKE'
  const sink = await startSmtpSink({ judge, ...options.sink })
  const env = {
    SMTP_URL: `smtp://127.0.0.1:${sink.port}?tls=off`,
    SMTP_FROM: FROM,
    WEBHOOK_RETRY_SCHEDULE_SECONDS: SCHEDULE,
    TRUSTED_PROXIES: '127.0.0.1',
    ...options.env,
  }
  const fixture = await startProduct({ env })
  // Links in emails point to where the pages are.
  const atPages = { STATUS_BASE_URL: fixture.service.baseUrl }
  const dispatcher = await fixture.stack.start('dispatcher', { env: atPages })
  const mailTo = (address: string, nth = 1) =>
    until(`mail ${nth} to ${address}`, async () => sink.to(address)[nth - 1])
  return {
    ...fixture,
    sink,
    refuse,
    env: atPages,
    dispatcher,
    emailTo: mailTo,
    createPage: (fields = {}, api = fixture.api) => createPage(api, fields),
    async join(page, address, components = []) {
      const answer = await subscribe(page, address, { components })
      assert.equal(answer.status, 200, await answer.text())
      const token = tokenOf(await mailTo(address), 'confirm')
      assert.equal((await press(`${page.url}/confirm/${token}`)).status, 200)
      return token
    },
    publish: (page, fields = {}) => publish(fixture.api, page, fields),
    quiet: () => delay(QUIET_MS),
    async stop() {
      await fixture.stop()
      await sink.close()
    },
  }
}

let pages = 0

async function createPage(api: Client, fields: Record<string, unknown>): Promise<Page> {
  const components = [{ name: 'API' }, { name: 'Website' }, { name: 'Docs' }]
  const answer = await api.post('/status-pages', {
    name: 'Acme',
    slug: `acme-${pages++}`,
    sections: [{ name: null, components }],
    ...fields,
  })
  assert.equal(answer.status, 201, answer.text)
  type Made = Omit<Page, 'components'> & { sections: { components: Component[] }[] }
  const page = answer.json as Made
  return { ...page, components: page.sections.flatMap((section) => section.components) }
}

async function publish(api: Client, page: Page, fields: Record<string, unknown>): Promise<string> {
  const answer = await api.post('/status-incidents', {
    title: 'Login errors',
    message: 'We are looking.',
    statusPageIds: [page.id],
    ...fields,
  })
  assert.equal(answer.status, 201, answer.text)
  return (answer.json as { id: string }).id
}

type Subscribing = { components?: readonly Component[]; headers?: Record<string, string> }

/** Submits the form as a browser without script does. */
export function subscribe(
  { url }: Page,
  email: string,
  { components = [], headers = {} }: Subscribing = {},
): Promise<Response> {
  const body = new URLSearchParams({ email })
  for (const { id } of components) body.append('component', id)
  return fetch(`${url}/subscribe`, { method: 'POST', body, headers, redirect: 'manual' })
}

/** Presses the button on a page that a link opened. */
export function press(
  url: string,
  fields: Record<string, string> = {},
  headers: Record<string, string> = {},
): Promise<Response> {
  const body = new URLSearchParams(fields)
  return fetch(url, { method: 'POST', body, headers, redirect: 'manual' })
}

/** From the link in the HTML, which must equal the one in the text. */
export function tokenOf({ html, text }: Received, verb: Verb): string {
  const pattern = new RegExp(`https?://[^\\s"<]+/${verb}/([\\w-]{43})(?![\\w-])`)
  const token = pattern.exec(html)?.[1]
  assert.ok(token !== undefined, `no ${verb} link in ${html}`)
  assert.equal(pattern.exec(text)?.[1], token, text)
  return token
}

export async function until<T>(
  what: string,
  look: () => Promise<T | undefined | false>,
  waitMs = WAIT_MS,
): Promise<T> {
  const startedMs = performance.now()
  for (;;) {
    const found = await look()
    if (found !== undefined && found !== false) return found
    const waitedMs = performance.now() - startedMs
    assert.ok(waitedMs < waitMs, `waited in vain for ${what}`)
    await delay(nextLookMs(waitedMs))
  }
}
