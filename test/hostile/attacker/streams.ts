// Event streams of several people, as many as anyone could open, with meaningless ids to resume from.
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Attack, Run, Tally } from './grounds.ts'
import { ADDRESSES, count } from './load.ts'

const STREAMS = 5_000
const OPENED_AT_ONCE = 100
const AGAIN_AFTER_MS = 3_000

const NONSENSE = [
  '',
  'x',
  '1-2-zzzzzz',
  `${Date.now()}-1-zzzzzz`,
  '9'.repeat(4_000),
  '-1--1',
  '0-0-0',
]

async function openStreams(run: Run): Promise<Tally> {
  const { crowd } = run.grounds
  const tally: Tally = {}
  let next = 0
  const openers = Array.from({ length: OPENED_AT_ONCE }, async () => {
    const held: Promise<void>[] = []
    while (next < STREAMS && Date.now() < run.endMs) {
      const number = next++
      const cookie = crowd[number % crowd.length] ?? ''
      const begun = Promise.withResolvers<void>()
      held.push(keepOpen(run, { cookie, number, begun: begun.resolve }, tally))
      await begun.promise
    }
    await Promise.all(held)
  })
  await Promise.all(openers)
  return tally
}

type Stream = { cookie: string; number: number; begun: () => void }

async function keepOpen(run: Run, stream: Stream, tally: Tally): Promise<void> {
  while (Date.now() < run.endMs) {
    await open(run, stream, tally)
    stream.begun()
    await sleep(Math.max(0, Math.min(AGAIN_AFTER_MS, run.endMs - Date.now())))
  }
}

function open({ grounds, endMs }: Run, stream: Stream, tally: Tally): Promise<void> {
  const { cookie, number, begun } = stream
  const { hostname, port } = new URL(grounds.baseUrl)
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port), localAddress: ADDRESSES.streams })
    const end = setTimeout(() => socket.destroy(), Math.max(0, endMs - Date.now()))
    const id = NONSENSE[number % NONSENSE.length] ?? ''
    socket.once('data', (data) => {
      const status = data.toString('latin1').slice(9, 12)
      count(tally, `stream ${status}`)
      begun()
      // Refused; the connection is not needed.
      if (status !== '200') socket.destroy()
    })
    socket.on('error', () => count(tally, 'stream reset'))
    socket.on('close', () => {
      clearTimeout(end)
      resolve()
    })
    socket.write(
      `GET /app/api/organizations/${grounds.orgId}/stream HTTP/1.1\r\nHost: upvane\r\n` +
        `Cookie: ${cookie}\r\n${id && `Last-Event-ID: ${id}\r\n`}\r\n`,
    )
    // Reads and discards what arrives.
    socket.resume()
  })
}

export const streams: Attack = { attack: openStreams }
