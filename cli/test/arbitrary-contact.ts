// Alert contacts for property tests: every channel, every field over its whole domain.
import fc from 'fast-check'
import type { JsonObject } from '../src/as-code/model/json.ts'
import { timezone, visible } from './arbitrary-text.ts'

const clock = fc
  .tuple(fc.nat(23), fc.nat(59))
  .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':'))
const KEY = 'planted0'.repeat(4)
const HOOK = { url: 'https://hooks.example.com/planted' }
// Valid settings of every channel. Secrets start with "planted", or have it in their path.
const CHANNELS: { channel: string; settings: Record<string, string> }[] = [
  { channel: 'EMAIL', settings: { address: "O'ps+1@Example.com" } },
  { channel: 'SLACK', settings: HOOK },
  { channel: 'DISCORD', settings: HOOK },
  { channel: 'TEAMS', settings: HOOK },
  { channel: 'TELEGRAM', settings: { botToken: 'planted-bot-token', chatId: '-100' } },
  { channel: 'GOOGLE_CHAT', settings: HOOK },
  { channel: 'PAGERDUTY', settings: { routingKey: KEY } },
  { channel: 'OPSGENIE', settings: { apiKey: 'planted-api-key', region: 'EU' } },
  { channel: 'NTFY', settings: { server: 'https://ntfy.example.com', topic: 'a:b' } },
  { channel: 'NTFY', settings: { server: 'https://ntfy.sh/', topic: '#1', token: 'planted-t' } },
  { channel: 'PUSHOVER', settings: { appToken: 'planted-app', userKey: 'planted-user' } },
  { channel: 'WEBHOOK', settings: HOOK },
  { channel: 'WEBHOOK', settings: { ...HOOK, secret: `whsec_${KEY}` } },
]
const ALERT_STATES = ['DOWN', 'DEGRADED', 'RECOVERED', 'EXPIRING', 'DNS_CHANGED', 'WEBHOOK_FAILING']
export const contact = fc
  .record({
    name: visible(120),
    enabled: fc.boolean(),
    states: fc.shuffledSubarray(ALERT_STATES, { minLength: 1 }),
    delayMinutes: fc.integer({ min: 0, max: 60 }),
    reminderMinutes: fc.option(fc.integer({ min: 5, max: 1440 })),
    quietHours: fc.option(
      fc.record({ from: clock, to: clock, timezone }).filter(({ from, to }) => from !== to),
    ),
    to: fc.constantFrom(...CHANNELS),
  })
  .map(({ to, ...rest }) => ({ ...rest, ...to }) as JsonObject)
