import assert from 'node:assert/strict'
import { test } from 'node:test'
import { browserOf } from './browser.ts'

// biome-ignore format: a table is read by its columns
const rows: [agent: string, name: string, isPhone: boolean][] = [
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux', false],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36', 'Chrome on Windows', false],
  ['Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0', 'Edge on Windows', false],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1 Version/18.0 Mobile Safari/604.1', 'Safari on iPhone', true],
  ['Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36', 'Chrome on Android', true],
  ['curl/8.5.0', 'curl/8.5.0', false],
  ['', 'Unknown program', false],
]

for (const [agent, name, isPhone] of rows)
  test(`browserOf: ${agent.slice(0, 40)} is ${name}`, () => {
    assert.deepEqual(browserOf(agent), { name, isPhone })
  })
