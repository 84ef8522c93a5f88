import assert from 'node:assert/strict'
import { test } from 'node:test'
import { webSocketUrlOf } from './join-line.ts'

// biome-ignore format: a table is read by its columns
const rows: [address: string, url: string | undefined][] = [
  ['https://upvane.example.com',        'wss://upvane.example.com/probe'],
  ['https://upvane.example.com/',       'wss://upvane.example.com/probe'],
  ['https://upvane.example.com:8443',   'wss://upvane.example.com:8443/probe'],
  ['https://example.com/monitoring/ws', 'wss://example.com/monitoring/ws'],
  ['https://[2001:db8::1]/?a=b#c',      'wss://[2001:db8::1]/probe'],
  ['https://ana:secret@example.com',    undefined],
  ['http://upvane.example.com',         undefined],
  ['upvane.example.com',                undefined],
  ['',                                  undefined],
]
for (const [address, url] of rows)
  test(`a probe joins through ${address || 'nothing'}: ${url ?? 'refused'}`, () =>
    assert.equal(webSocketUrlOf(address), url))
