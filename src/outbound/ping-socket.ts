// Echo requests over the kernel's ICMP datagram socket, which needs no privileges where net.ipv4.ping_group_range
// permits it. Node lacks only socket(2); dgram does the rest.
import { randomBytes } from 'node:crypto'
import { createSocket, type Socket } from 'node:dgram'

export type Family = 4 | 6

export type EchoSocket = {
  /** Resolves with the round-trip time when the reply arrives; `forget` stops waiting. */
  send(address: string): { reply: Promise<number>; forget(): void }
  close(): void
}

type Waiting = { token: Buffer; sentMs: number; resolve(ms: number): void; reject(e: Error): void }

const SOCKET = { 4: { domain: 2, protocol: 1 }, 6: { domain: 10, protocol: 58 } }
const ECHO_REQUEST = { 4: 8, 6: 128 }
const DATAGRAM_CLOSE_ON_EXEC = 2 | 0o2000000
const HEADER_BYTES = 8
const TOKEN_BYTES = 16
const MAX_SEQUENCE = 0xffff
// The kernel ignores it, but dgram requires one.
const ANY_PORT = 1

/** Undefined if the kernel or the platform does not support such a socket. */
export async function openEchoSocket(family: Family): Promise<EchoSocket | undefined> {
  const descriptor = await openDescriptor(family).catch(() => -1)
  if (descriptor < 0) return undefined
  const socket = createSocket(family === 4 ? 'udp4' : 'udp6')
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject)
    socket.bind({ fd: descriptor }, resolve)
  })
  socket.unref()
  return speakEcho(socket, family)
}

async function openDescriptor(family: Family): Promise<number> {
  if (process.platform !== 'linux') return -1
  const { dlopen } = await import('node:ffi')
  const { functions } = dlopen(null, {
    socket: { arguments: ['i32', 'i32', 'i32'], return: 'i32' },
  })
  const { domain, protocol } = SOCKET[family]
  return functions.socket(domain, DATAGRAM_CLOSE_ON_EXEC, protocol)
}

function speakEcho(socket: Socket, family: Family): EchoSocket {
  const waiting = new Map<number, Waiting>()
  let sequence = 0
  socket.on('error', () => undefined)
  socket.on('message', (packet) => {
    const found = waiting.get(packet.length < HEADER_BYTES ? -1 : packet.readUInt16BE(6))
    // The token prevents late replies to older requests, and forged ones, from counting.
    if (found?.token.equals(packet.subarray(HEADER_BYTES)))
      found.resolve(performance.now() - found.sentMs)
  })

  return {
    send(address) {
      sequence = (sequence + 1) & MAX_SEQUENCE
      const mine = sequence
      const token = randomBytes(TOKEN_BYTES)
      const { promise, resolve, reject } = Promise.withResolvers<number>()
      waiting.set(mine, { token, sentMs: performance.now(), resolve, reject })
      socket.send(toEchoRequest(family, mine, token), ANY_PORT, address, (error) => {
        if (error !== null) reject(error)
      })
      return { reply: promise, forget: () => void waiting.delete(mine) }
    },
    close: () => socket.close(),
  }
}

// Identifier and checksum stay zero: the kernel fills them in.
function toEchoRequest(family: Family, sequence: number, token: Buffer): Buffer {
  const header = Buffer.alloc(HEADER_BYTES)
  header[0] = ECHO_REQUEST[family]
  header.writeUInt16BE(sequence, 6)
  return Buffer.concat([header, token])
}
