import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CommandError } from '../command.ts'
import { parseLine } from '../shell/parse.ts'
import { MONITOR_COMMANDS, toMonitorChange, toMonitorInput } from './monitors.ts'

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

type Change = Parameters<typeof toMonitorChange>

function changeOf(type: Change[0], ...words: string[]): object {
  const { call } = parseLine(MONITOR_COMMANDS, ['monitors', 'edit', 'Shop', ...words], {})
  return toMonitorChange(type, call.options as Change[1])
}

test('an edit has what the options name, and nothing else', () => {
  assert.deepEqual(changeOf('HTTP', '--interval', '1m', '--status', '200,204'), {
    intervalSeconds: 60,
    expectedStatus: [200, 204],
  })
  assert.deepEqual(changeOf('KEYWORD', '--address', 'shop.example.com/new', '--name', 'New'), {
    url: 'https://shop.example.com/new',
    name: 'New',
  })
  assert.deepEqual(changeOf('PORT', '--address', 'tcp://mail.example.com:587'), {
    host: 'mail.example.com',
    port: 587,
  })
  assert.deepEqual(changeOf('PING'), {})
})

test('a monitor that waits for pings has no address to change', () => {
  assert.throws(() => changeOf('CRON', '--address', 'shop.example.com'), CommandError)
})
