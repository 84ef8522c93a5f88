import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commandWords } from '../../messages/command-words.ts'
import type { MonitorAction } from '../../messages/monitor-actions.ts'
import { commandText, readCommand } from './command.ts'

// biome-ignore format: a table is read by its columns
const cases: [text: string, action: MonitorAction | undefined, rest?: string][] = [
  ['',                       undefined],
  ['p',                      undefined],
  ['pa',                     'pause',       ''],
  ['pause',                  'pause',       ''],
  ['pause ',                 'pause',       ''],
  ['Pause Checkout',         'pause',       'Checkout'],
  ['  pause   Shop API ',    'pause',       'Shop API'],
  ['paused',                 undefined],
  ['ack',                    'acknowledge', ''],
  ['acknowledge checkout',   'acknowledge', 'checkout'],
  ['check',                  'check',       ''],
  ['check now',              'check',       ''],
  ['check now shop',         'check',       'shop'],
  ['check nowhere',          'check',       'nowhere'],
  ['checkout',               undefined],
  ['silence checkout',       'maintenance', 'checkout'],
  ['start maintenance shop', 'maintenance', 'shop'],
  ['resume',                 'resume',      ''],
  ['un',                     'resume',      ''],
  ['edit shop',              'edit',        'shop'],
  ['shop pause',             undefined],
]
for (const [text, action, rest] of cases)
  test(`palette: the command in “${text}”`, () => {
    const command = readCommand(text)
    assert.deepEqual([command?.action, command?.rest], [action, rest])
  })

test('palette: what is filled in for an action is read as that action', () => {
  // Safe because the keys of the table are actions.
  for (const action of Object.keys(commandWords) as MonitorAction[])
    assert.deepEqual(readCommand(commandText(action)), { action, rest: '' })
})
