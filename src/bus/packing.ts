// Many jobs share one message: a message costs about as much as packing a hundred jobs into it.
import type { Job, Packet } from './bus.ts'

export const MAX_PACKET_ITEMS = 100
export const MAX_PACKET_BYTES = 256 * 1024
/** The message size every server must accept; a server that allows less is refused. */
export const MAX_MESSAGE_BYTES = 1024 * 1024
// What surrounds the items in a message.
const ENVELOPE_BYTES = 512

/** `text` is the JSON array of the items. */
type Pack<Item> = { items: readonly Item[]; text: string }
type Packed<Item> = { packs: Pack<Item>[]; tooLarge: Item[] }

/** Keeps the order. Jobs too large for any message are returned, not sent. */
export function packJobs(jobs: readonly Job[]): { packets: Packet[]; tooLarge: Job[] } {
  const { packs, tooLarge } = pack(jobs, (job) => JSON.stringify(job))
  return { packets: packs, tooLarge }
}

export function pack<Item>(items: readonly Item[], textOf: (item: Item) => string): Packed<Item> {
  const packs: Pack<Item>[] = []
  const tooLarge: Item[] = []
  let open = newOpenPack<Item>()
  const close = () => {
    if (open.items.length > 0) packs.push({ items: open.items, text: `[${open.texts.join(',')}]` })
    open = newOpenPack()
  }
  for (const item of items) {
    const text = textOf(item)
    const bytes = Buffer.byteLength(text) + 1
    if (bytes + ENVELOPE_BYTES > MAX_MESSAGE_BYTES) {
      tooLarge.push(item)
      continue
    }
    if (open.items.length === MAX_PACKET_ITEMS || open.bytes + bytes > MAX_PACKET_BYTES) close()
    open.items.push(item)
    open.texts.push(text)
    open.bytes += bytes
  }
  close()
  return { packs, tooLarge }
}

// Starts at one byte: n items have n - 1 commas and two brackets.
function newOpenPack<Item>() {
  return { items: [] as Item[], texts: [] as string[], bytes: 1 }
}

export function fitsMessage(text: string): boolean {
  // No UTF-16 unit takes more than three bytes in UTF-8, so most texts need no exact count.
  return text.length * 3 <= MAX_MESSAGE_BYTES || Buffer.byteLength(text) <= MAX_MESSAGE_BYTES
}
