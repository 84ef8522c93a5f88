// A request that trickles in is cut off with the error envelope. The test takes as long as the server's timeout.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { startProduct } from '../kit/fixture.ts'
import { assertRefused } from '../kit/raw-http.ts'

// Headers must arrive within 20 s, and the server checks every 30 s.
const PATIENCE_MS = 55_000
const fixture = await startProduct({ own: true })
const { api, keys } = fixture
after(() => fixture.stop())

describe('a request that stops halfway', { concurrency: 2 }, () => {
  test('400 path request: headers that never end', async () => {
    const pieces = [`GET /api/v1/monitors HTTP/1.1\r\nX-API-Key: ${keys.full}\r\n`]
    await assertRefused(api, { pieces, giveUpMs: PATIENCE_MS })
  })

  test('200 for everybody else meanwhile', async () => {
    for (let i = 0; i < 10; i++) assert.equal((await api.get('/monitors')).status, 200)
  })
})
