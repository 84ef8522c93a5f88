import assert from 'node:assert/strict'
import { test } from 'node:test'
import { match } from './import-aliases.ts'

const listed = (monitor: string, name: string) => ({
  monitor,
  name,
  token: monitor,
  oldUrl: '',
  newUrl: '',
  aliasUrl: '',
})
const cron = (id: string, name: string) => ({ id, name, heartbeatUrl: `https://x/hb/${id}` })

test('by the key of the file, else by a name that only one monitor has', () => {
  const monitors = [cron('mon_1', 'Backup'), cron('mon_2', 'Twin'), cron('mon_3', 'Twin')]
  const keys = new Map([
    ['monitors.twin', 'mon_3'],
    ['monitors.gone', 'mon_9'],
  ])
  const all = [
    listed('backup', 'Backup'),
    listed('twin', 'Twin'),
    listed('twin-2', 'Twin'),
    listed('gone', 'Gone'),
  ]
  const { matched, lost } = match(all, monitors, keys)
  assert.deepEqual(
    matched.map(({ heartbeat, monitor }) => [heartbeat.monitor, monitor.id]),
    [
      ['backup', 'mon_1'],
      ['twin', 'mon_3'],
    ],
  )
  assert.deepEqual(
    lost.map(({ monitor }) => monitor),
    ['twin-2', 'gone'],
  )
})
