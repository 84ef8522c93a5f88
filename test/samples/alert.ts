// An alert as channels get it.
import type { Alert } from '../../src/domain/alerts/alert.ts'

export const DOWN_ALERT: Alert = {
  kind: 'DOWN',
  thread: 'inc_01',
  organization: 'Acme',
  title: 'Checkout is down',
  summary: 'HTTP 503 since Sat, Nov 14, 14:27 CET',
  facts: [{ label: 'Cause', value: 'HTTP 503, expected 200' }],
  links: { open: 'https://up.example/i/inc_01', acknowledge: 'https://up.example/i/inc_01/ack' },
  at: '2026-11-14T13:27:10.000Z',
}
