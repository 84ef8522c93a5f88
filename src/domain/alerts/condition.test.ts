import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleMonitor } from '../../../test/samples/monitor.ts'
import type { MonitorNotice } from '../incidents/apply-result.ts'
import type { Monitor } from '../monitors/monitor.ts'
import { toPublicId } from '../values/id.ts'
import { noticeCondition, outageCondition } from './condition.ts'

const AT = new Date('2026-11-14T12:00:00Z')
const EARLIER = new Date('2026-11-14T11:59:00Z')
const EXPIRES_AT = new Date('2026-11-20T00:00:00Z')
const STATE: MonitorNotice = { kind: 'STATE', previousState: 'UP' }
const expiry = (what: 'ssl' | 'domain', daysLeft: number): MonitorNotice => ({
  kind: 'EXPIRY',
  what,
  notice: { expiresAt: EXPIRES_AT, daysLeft },
})
const dns = (before: string[], after: string[]): MonitorNotice => ({
  kind: 'DNS',
  change: { before, after },
})

// biome-ignore format: a table is read by its columns
const conditions: [string, Partial<Monitor>, MonitorNotice, kind: string | undefined, cause?: string][] = [
  ['slow',                      { state: 'DEGRADED' },                 STATE,                   'DEGRADED', 'Slower than its threshold'],
  ['certificate near its end',  { state: 'DEGRADED', type: 'SSL' },    STATE,                   undefined],
  ['domain near its end',       { state: 'DEGRADED', type: 'DOMAIN' }, STATE,                   undefined],
  ['down: its incident counts', { state: 'DOWN' },                     STATE,                   undefined],
  ['up',                        { state: 'UP' },                       STATE,                   undefined],
  ['certificate, many days',    {},                                    expiry('ssl', 6),        'EXPIRING', 'The certificate expires on Fri, Nov 20, 2026, in 6 days'],
  ['certificate, one day',      {},                                    expiry('ssl', 1),        'EXPIRING', 'The certificate expires on Fri, Nov 20, 2026, in 1 day'],
  ['certificate, over',         {},                                    expiry('ssl', -1),       'EXPIRING', 'The certificate expired on Fri, Nov 20, 2026'],
  ['domain',                    {},                                    expiry('domain', 0),     'EXPIRING', 'The domain expires on Fri, Nov 20, 2026, in 0 days'],
  ['record changed',            {},                                    dns(['a', 'b'], ['c']),  'DNS_CHANGED', 'a, b → c'],
  ['record gone',               {},                                    dns(['192.0.2.1'], []),  'DNS_CHANGED', '192.0.2.1 → nothing'],
]
for (const [name, fields, notice, kind, cause] of conditions)
  test(`${name} -> ${kind ?? 'no condition'}`, () => {
    const condition = noticeCondition(notice, sampleMonitor(fields), AT)
    assert.deepEqual([condition?.kind, condition?.about.cause], [kind, cause])
  })

test('a condition names its monitor, and a login in its address stays behind', () => {
  const monitor = sampleMonitor({ url: 'https://ana:pw@shop.example/x', state: 'DEGRADED' })
  assert.deepEqual(noticeCondition(STATE, monitor, AT), {
    kind: 'DEGRADED',
    monitorUuid: monitor.uuid,
    incidentUuid: null,
    url: 'https://ana:pw@shop.example/x',
    host: null,
    since: AT,
    about: {
      monitorId: toPublicId('mon', monitor.uuid),
      name: 'Shop',
      address: 'https://shop.example/x',
      cause: 'Slower than its threshold',
    },
  })
})

test('an outage began with its incident, and belongs to it', () => {
  const monitor = sampleMonitor({ url: null, host: 'db.example' })
  const uuid = '019aa000-0000-7000-8000-0000000000aa'
  const { kind, since, incidentUuid, about } = outageCondition(monitor, {
    uuid,
    startedAt: EARLIER,
    cause: 'No response',
  })
  assert.deepEqual(
    [kind, since, incidentUuid, about.cause, about.address],
    ['DOWN', EARLIER, uuid, 'No response', 'db.example'],
  )
})
