// The product with people, contacts, and stand-ins for their providers.
import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import type { Environment, Service } from '../../../tools/stack.ts'
import { nextLookMs } from '../../kit/pace.ts'
import type { Visitor } from '../../kit/private-client.ts'
import { type StandIn, startStandIn } from '../../kit/providers/stand-in.ts'
import { type SmtpSink, startSmtpSink, type Verdict } from '../../kit/smtp-sink.ts'
import { type AppFixture, startAppFixture } from '../../private/fixture.ts'

const WAIT_MS = 60_000
const SCHEDULE = Array(9).fill('0.3').join(',')

type AlertFixture = AppFixture & {
  standIn: StandIn
  sink: SmtpSink
  dispatcher: Service
  admin: Visitor
  contacts: string
  createContact(fields: Record<string, unknown>): Promise<string>
  deliveriesTo(contactId: string): Promise<AlertDelivery[]>
  until<T>(what: string, look: () => Promise<T | undefined | false>): Promise<T>
  stop(): Promise<void>
}

type AlertDelivery = {
  id: string
  kind: string
  title: string
  status: string
  attemptCount: number
  lastResponseStatus: number | null
  error: string | null
}

const MAILBOXES: Record<string, Verdict> = {
  busy: { code: 450, words: '4.2.1 The mailbox is busy' },
  broken: { code: 451, words: '4.3.0 Local error' },
  revoked: { code: 550, words: '5.1.1 Nobody lives here' },
}

/** By the first word of its name, like accounts of the stand-in. */
const judgeMailbox = (to: string): Verdict => MAILBOXES[to.split(/[-@]/)[0] ?? ''] ?? 'TAKE'

export async function startAlertFixture(env: Environment = {}): Promise<AlertFixture> {
  const standIn = await startStandIn()
  const sink = await startSmtpSink({ judge: judgeMailbox })
  const fixture = await startAppFixture({
    SMTP_URL: `smtp://127.0.0.1:${sink.port}?tls=off`,
    SMTP_FROM: 'alerts@upvane.example',
    WEBHOOK_RETRY_SCHEDULE_SECONDS: SCHEDULE,
    ALERT_HOLD_SECONDS: '2',
    ALERT_TOGETHER_SECONDS: '20',
    TELEGRAM_URL: standIn.origin,
    PAGERDUTY_URL: standIn.origin,
    OPSGENIE_URL: standIn.origin,
    PUSHOVER_URL: standIn.origin,
    JIRA_SERVICE_MANAGEMENT_URL: standIn.origin,
    INCIDENT_IO_URL: standIn.origin,
    GITHUB_ISSUES_URL: standIn.origin,
    TWILIO_URL: standIn.origin,
    ...env,
  })
  const dispatcher = await fixture.stack.start('dispatcher', {
    env: { BASE_URL: fixture.service.baseUrl },
  })
  const { visitor: admin } = await fixture.join(fixture.orgId, 'ADMIN')
  const contacts = `/organizations/${fixture.orgId}/alert-contacts`
  const members = new Set<string>()
  return {
    ...fixture,
    standIn,
    sink,
    dispatcher,
    admin,
    contacts,
    until,
    async createContact(fields) {
      const { address: email } = fields['settings'] as { address?: string }
      // A member's address needs no confirmation and gets no confirmation email.
      if (email !== undefined && !members.has(email))
        await fixture.addMember(fixture.orgId, await fixture.addPerson({ email }), 'READ_ONLY')
      if (email !== undefined) members.add(email)
      const answer = await admin.post(contacts, { name: 'On call', ...fields })
      assert.equal(answer.status, 201, answer.text)
      // Ten tests are allowed in 15 minutes; these tests are about something else.
      await fixture.db.run(`delete from sign_in_windows where subject like 'contact-%'`)
      const { id, secret } = answer.json as { id: string; secret: string | null }
      const { url } = fields['settings'] as { url?: string }
      if (secret !== null && url !== undefined) standIn.secrets.set(new URL(url).pathname, secret)
      return id
    },
    async deliveriesTo(contactId) {
      const answer = await admin.get(`${contacts}/${contactId}/deliveries`)
      return (answer.json as { data: AlertDelivery[] }).data
    },
    async stop() {
      assert.deepEqual(standIn.complaints, [], 'a request was not as its provider documents')
      await fixture.stop()
      await sink.close()
      await standIn.close()
    },
  }
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
