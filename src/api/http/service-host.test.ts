import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isServiceHost } from './service-host.ts'

const rows: [host: string, isService: boolean][] = [
  ['upvane.example.com', true],
  ['', true],
  ['localhost', true],
  ['upvane', true],
  ['127.0.0.1', true],
  ['[::1]', true],
  ['status.acme.test', false],
  ['example.com', false],
  ['evil.upvane.example.com', false],
  ['upvane.example.com.evil.test', false],
  ['127.0.0.1.nip.io', false],
]

for (const [host, isService] of rows) {
  test(`isServiceHost: ${host || 'no host'} -> ${isService}`, () =>
    assert.equal(isServiceHost(host, 'upvane.example.com'), isService))
}
