import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { listen } from '../../../test/kit/targets/listen.ts'
import { Upvane } from '../index.ts'

test('a refused connection says so in its message', async () => {
  const { port, close } = await listen(createServer())
  await close()
  const baseUrl = `http://127.0.0.1:${port}`
  const upvane = new Upvane({ baseUrl, apiKey: 'upv_x', maxRetries: 0 })
  await assert.rejects(upvane.monitors.get('mon_x'), {
    name: 'ConnectionError',
    message: `getMonitor: no complete response (connect ECONNREFUSED 127.0.0.1:${port})`,
  })
})
