// A receiver with many URLs that counts how many requests each has open at a time.
import { createServer } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { listen } from '../../kit/targets/listen.ts'

type Behavior = { delayMs?: number; isHanging?: boolean }
export type Door = {
  url: string
  /** Times by `webhook-id`, of the first request only. */
  receivedMs: Map<string, number>
  requests: number
  open: number
  mostOpen: number
}

type CountingReceiver = {
  door(behavior?: Behavior): Door
  /** Events that were in flight to one URL twice at the same time. */
  twiceAtOnce: string[]
  close(): Promise<void>
}

export async function startCountingReceiver(): Promise<CountingReceiver> {
  const doors = new Map<string, { door: Door; behavior: Behavior; underWay: Set<string> }>()
  const twiceAtOnce: string[] = []
  const server = createServer(async (request, response) => {
    const found = doors.get(request.url ?? '')
    if (found === undefined) return void response.writeHead(410).end()
    const { door, behavior, underWay } = found
    const id = String(request.headers['webhook-id'])
    if (underWay.has(id)) twiceAtOnce.push(id)
    underWay.add(id)
    door.requests += 1
    door.open += 1
    door.mostOpen = Math.max(door.mostOpen, door.open)
    if (!door.receivedMs.has(id)) door.receivedMs.set(id, performance.now())
    response.once('close', () => {
      door.open -= 1
      underWay.delete(id)
    })
    for await (const _ of request) continue
    if (behavior.isHanging) return
    if (behavior.delayMs) await delay(behavior.delayMs)
    response.end()
  })
  const { port, close } = await listen(server)
  return {
    twiceAtOnce,
    close,
    door(behavior = {}) {
      const path = `/door-${doors.size}`
      const url = `http://127.0.0.1:${port}${path}`
      const door = { url, receivedMs: new Map(), requests: 0, open: 0, mostOpen: 0 }
      doors.set(path, { door, behavior, underWay: new Set() })
      return door
    },
  }
}
