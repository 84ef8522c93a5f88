import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CommandError } from '../command.ts'
import { parseLine } from '../shell/parse.ts'
import { MONITOR_COMMANDS, toMonitorInput } from './monitors.ts'

type Input = Parameters<typeof toMonitorInput>[1]

function inputOf(...words: string[]): object {
  const { call } = parseLine(MONITOR_COMMANDS, ['monitors', 'create', ...words], {})
  return toMonitorInput(call.args[0] ?? '', call.options as Input)
}

test('a new monitor has what the options say, and its address as its name', () => {
  assert.deepEqual(inputOf('shop.example.com'), {
    name: 'shop.example.com',
    type: 'HTTP',
    url: 'https://shop.example.com/',
  })
  assert.deepEqual(inputOf('tcp://mail.example.com:25', '--name', 'Mail', '--interval', '1m'), {
    name: 'Mail',
    type: 'PORT',
    host: 'mail.example.com',
    port: 25,
    intervalSeconds: 60,
  })
})

test('an interval that no monitor can have is refused before anything is sent', () => {
  assert.throws(
    () => inputOf('shop.example.com', '--interval', '10s'),
    (error: unknown) =>
      error instanceof CommandError && error.message.includes('--interval must be a duration'),
  )
})
