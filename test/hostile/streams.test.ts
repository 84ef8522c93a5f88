import assert from 'node:assert/strict'
import { get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { assault, sumOf } from './assault.ts'
import { asBrowser } from './send.ts'
import type { World } from './world.ts'

const NOTIFIED_WITHIN_MS = 4_000
const MIDDLE_MS = 5_000
// Five people with 40 each; a few may end and be reopened.
const MOST_STREAMS = 250

assault('Streams: 5,000 of one organization leave room for those of another', {
  attack: 'streams',
  atLeast: { 'stream ': 1_000 },
  assertFigures(_figures, tally) {
    const open = sumOf(tally, 'stream 200')
    assert.ok(open <= MOST_STREAMS, `${open} streams were open`)
  },
  async meanwhile(world, endMs) {
    await sleep(endMs - Date.now() - MIDDLE_MS)
    await assertFollows(world)
  },
})

/** A browser of the victim opens a stream and receives a change. */
function assertFollows({ orgId, cookie, victim }: World): Promise<void> {
  const url = `${victim.baseUrl}/app/api/organizations/${orgId}/stream`
  return new Promise((resolve, reject) => {
    const request = get(url, { headers: asBrowser(cookie), agent: false }, (response) => {
      if (response.statusCode !== 200)
        return finish(new assert.AssertionError({ message: `stream: ${response.statusCode}` }))
      response.on('data', (chunk: Buffer) => {
        if (chunk.includes('event: changes')) finish()
      })
    })
    const late = new assert.AssertionError({ message: 'The victim received no change.' })
    const timer = setTimeout(() => finish(late), NOTIFIED_WITHIN_MS)
    request.on('error', finish)
    function finish(error?: Error): void {
      clearTimeout(timer)
      request.destroy()
      if (error) reject(error)
      else resolve()
    }
  })
}
