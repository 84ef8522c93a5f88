// A scripted DNS server, over UDP and TCP on one port.
import { createSocket, type Socket as UdpSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import {
  type Answer,
  decode,
  encode,
  type Packet,
  type Question,
  RECURSION_AVAILABLE,
  streamEncode,
} from 'dns-packet'
import { onFreePort } from './listen.ts'

export type Reply =
  | { answers: Answer[]; delayMs?: number }
  | 'NXDOMAIN'
  | 'SERVFAIL'
  | 'REFUSED'
  | 'SILENCE'
  /** Truncated over UDP, so that the client must retry over TCP. */
  | { truncated: Answer[] }

/** Answers one query; undefined means "no data". */
export type Script = (question: Question, transport: 'udp' | 'tcp') => Reply | undefined

export type DnsServer = { address: string; asked: string[]; close(): void }

const TRUNCATED = 1 << 9
const RCODES = { NXDOMAIN: 3, SERVFAIL: 2, REFUSED: 5 }
const ROOT: Reply = { answers: [{ type: 'NS', name: '.', data: 'a.root.example' }] }

/** Answers queries for the root's name servers itself, as every resolver does, unless the script does. */
export async function startDnsServer(script: Script): Promise<DnsServer> {
  const asked: string[] = []
  const udp = createSocket('udp4')
  const tcp = createServer((socket) => serveTcp(socket, respond))
  const respond: Respond = (query, transport, send) => {
    const { questions: [question] = [] } = query
    if (question === undefined) return
    asked.push(`${question.type} ${question.name}`)
    const isRoot = question.type === 'NS' && question.name === '.'
    const reply = script(question, transport) ?? (isRoot ? ROOT : { answers: [] })
    if (reply === 'SILENCE') return
    const delayMs = typeof reply === 'object' && 'delayMs' in reply ? (reply.delayMs ?? 0) : 0
    setTimeout(() => send(toPacket(query, reply, transport)), delayMs)
  }
  serveUdp(udp, respond)
  const port = await onFreePort(async (candidate) => {
    tcp.listen(candidate, '127.0.0.1')
    await once(tcp, 'listening')
  })
  udp.bind(port, '127.0.0.1')
  await once(udp, 'listening')
  return {
    address: `127.0.0.1:${port}`,
    asked,
    close() {
      udp.close()
      tcp.close()
    },
  }
}

type Respond = (query: Packet, transport: 'udp' | 'tcp', send: (packet: Packet) => void) => void

/** Undefined for what is no query: somebody else may find the port. */
function read(message: Buffer): Packet | undefined {
  try {
    return decode(message)
  } catch {
    return undefined
  }
}

function serveUdp(socket: UdpSocket, respond: Respond): void {
  socket.on('message', (message, from) => {
    const query = read(message)
    if (query === undefined) return
    respond(query, 'udp', (packet) => {
      try {
        socket.send(encode(packet), from.port, from.address)
      } catch {
        // Closed while a delayed response was waiting.
      }
    })
  })
}

function serveTcp(socket: Socket, respond: Respond): void {
  socket.on('error', () => undefined)
  socket.on('data', (data: Buffer) => {
    const query = read(data.subarray(2))
    if (query === undefined) return void socket.destroy()
    respond(query, 'tcp', (packet) => socket.write(streamEncode(packet)))
  })
}

function toPacket(query: Packet, reply: Reply, transport: 'udp' | 'tcp'): Packet {
  const base: Packet = {
    type: 'response',
    ...(query.id !== undefined && { id: query.id }),
    questions: query.questions ?? [],
    flags: RECURSION_AVAILABLE,
  }
  if (typeof reply === 'string')
    return { ...base, flags: RECURSION_AVAILABLE | RCODES[reply as keyof typeof RCODES] }
  if ('answers' in reply) return { ...base, answers: reply.answers }
  return transport === 'tcp'
    ? { ...base, answers: reply.truncated }
    : { ...base, flags: RECURSION_AVAILABLE | TRUNCATED }
}
