// Acme's alert contacts on several channels. One of them is broken.
import type { Addresses } from './targets.ts'

export const BROKEN_CONTACT = 'Old Discord server'
const ROUTING_KEY = '8f0c2b6e4d1a49d7b3c5e6f708192a3b'

export function listContacts({ hooks }: Addresses) {
  const at = (path: string) => `https://hooks.acme.example:${hooks}${path}`
  const night = { from: '22:00', to: '06:30', timezone: 'Europe/Berlin' }
  return [
    { name: 'Operations', channel: 'EMAIL', settings: { address: 'operations@acme.example' } },
    {
      name: '#ops in Slack',
      channel: 'SLACK',
      settings: { url: at('/slack/ops') },
      delayMinutes: 2,
    },
    {
      name: 'On-call',
      channel: 'PAGERDUTY',
      settings: { routingKey: ROUTING_KEY },
      states: ['DOWN', 'RECOVERED'],
      reminderMinutes: 15,
    },
    {
      name: 'Shop team',
      channel: 'TEAMS',
      settings: { url: at('/teams/shop') },
      delayMinutes: 5,
      quietHours: night,
    },
    {
      name: "Ana's phone",
      channel: 'NTFY',
      settings: { server: at(''), topic: 'acme-ana' },
      states: ['DOWN'],
      reminderMinutes: 30,
    },
    { name: BROKEN_CONTACT, channel: 'DISCORD', settings: { url: at('/discord/archived') } },
  ]
}
