import assert from 'node:assert/strict'
import { test } from 'node:test'
import { prepare } from './request.ts'
import { readSettings } from './settings.ts'

const settings = (timeoutMs?: number) =>
  readSettings({
    apiKey: 'upv_x',
    baseUrl: 'https://upvane.example.com',
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  })

// biome-ignore format: a table is read by its columns
const timeouts: [operation: string, client: number | undefined, call: number | undefined, ms: number][] = [
  ['getMonitor',   undefined, undefined, 30_000],
  ['getMonitor',   5_000,     undefined, 5_000],
  ['getMonitor',   5_000,     7_000,     7_000],
  ['checkMonitor', undefined, undefined, 150_000],
  ['checkMonitor', 5_000,     undefined, 150_000],
  ['checkMonitor', 200_000,   undefined, 200_000],
  ['checkMonitor', undefined, 7_000,     7_000],
]
for (const [operation, client, call, ms] of timeouts)
  test(`${operation} has ${ms} ms if the client says ${client} and the call ${call}`, () => {
    const request = { operation, method: 'POST', path: '/monitors/{id}/check', ids: ['mon_1'] }
    const options = call === undefined ? {} : { timeoutMs: call }
    assert.equal(prepare(settings(client), request, options).limits.timeoutMs, ms)
  })

test('undefined and null are no filters', () => {
  const query = { q: undefined, state: null, type: 'HTTP', enabled: false, limit: 0 }
  const request = { operation: 'listMonitors', method: 'GET', path: '/monitors', query }
  const { url } = prepare(settings(), request, {})
  assert.equal(url, 'https://upvane.example.com/api/v1/monitors?type=HTTP&enabled=false&limit=0')
})
