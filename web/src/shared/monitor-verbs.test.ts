import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MonitorState, MonitorType } from '../../../src/domain/monitors/monitor.ts'
import type { MonitorAction } from '../messages/monitor-actions.ts'
import { actionsFor } from './monitor-verbs.ts'

type Case = [MonitorType, MonitorState, unacknowledgedId: string | null, MonitorAction[]]
// biome-ignore format: a table is read by its columns
const cases: Case[] = [
  ['HTTP', 'UP',       null,    ['check', 'pause', 'maintenance', 'edit']],
  ['HTTP', 'DEGRADED', null,    ['check', 'pause', 'maintenance', 'edit']],
  ['HTTP', 'PENDING',  null,    ['check', 'pause', 'maintenance', 'edit']],
  ['HTTP', 'DOWN',     'inc_1', ['acknowledge', 'check', 'pause', 'maintenance', 'edit']],
  ['HTTP', 'DOWN',     null,    ['check', 'pause', 'maintenance', 'edit']],
  ['CRON', 'UP',       null,    ['pause', 'maintenance', 'edit']],
  ['CRON', 'DOWN',     'inc_1', ['acknowledge', 'pause', 'maintenance', 'edit']],
  ['SSL',  'PAUSED',   null,    ['resume', 'edit']],
  ['CRON', 'PAUSED',   null,    ['resume', 'edit']],
]
for (const [type, state, unacknowledgedId, actions] of cases)
  test(`${type} ${state}, ${unacknowledgedId ?? 'nothing to acknowledge'}: ${actions.join(', ')}`, () =>
    assert.deepEqual(actionsFor({ type, state, unacknowledgedId }), actions))
