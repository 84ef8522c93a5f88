import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createUnknownHosts } from './unknown-hosts.ts'

test('one line for each unknown name, none for addresses and bare names, and no more than 20', () => {
  const lines: string[] = []
  const hosts = createUnknownHosts('http://localhost:8080', ({ host }) => lines.push(host))
  for (const host of ['up.example.com', 'up.example.com', '192.0.2.7', '::1', 'localhost', ''])
    hosts.notice(host)
  assert.deepEqual(lines, ['up.example.com'])
  for (let index = 0; index < 1000; index++) hosts.notice(`${index}.example.com`)
  assert.equal(lines.length, 20)
  hosts.notice(`${'a'.repeat(300)}.example.com`)
  assert.ok(lines.every((host) => host.length <= 100))
})
