// The webhook receiver of a simulation.
import { toUuid } from '../../kit/ids.ts'
import type { SimReply, SimRequest } from './platform/network.ts'

export type Received = { eventId: string; atMs: number; status: number }

export class Receiver {
  readonly received: Received[] = []

  take({ body }: SimRequest, { atMs, isDown }: { atMs: number; isDown: boolean }): SimReply {
    const { id } = JSON.parse(body) as { id: string }
    const status = isDown ? 503 : 200
    this.received.push({ eventId: toUuid(id), atMs, status })
    return { status, body: '', afterMs: 20 }
  }
}
