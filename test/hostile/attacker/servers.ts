// The attacker's servers: a mail relay that accepts everything, a registry with a hostile WHOIS, and targets and
// receivers that misbehave.
import { randomBytes } from 'node:crypto'
import { createServer as createWebServer, type RequestListener } from 'node:http'
import { createServer } from 'node:net'
import { startSmtpSink } from '../../kit/smtp-sink.ts'
import {
  bomb,
  dripBody,
  dripHeaders,
  endlessChunks,
  floodOf1xx,
  type Hostility,
  headerBomb,
  mute,
  packBomb,
  startHostile,
} from '../../kit/targets/hostile.ts'
import { listen } from '../../kit/targets/listen.ts'
import type { Servers } from './grounds.ts'

const WHOIS_BYTES = 65_500
const CONFIRM = /\/confirm\/([\w-]{43})(?![\w-])/

export async function startServers(): Promise<Servers> {
  const sink = await startSmtpSink()
  const whois = await listen(createServer(respondToWhois))
  const bootstrap = await listen(
    createWebServer((_request, response) =>
      response.end(JSON.stringify({ version: '1.0', services: [] })),
    ),
  )
  const receivers = await listen(createWebServer(receive))
  return {
    smtpPort: sink.port,
    whoisServer: `127.0.0.1:${whois.port}`,
    bootstrapUrl: `http://127.0.0.1:${bootstrap.port}/dns.json`,
    targets: await startTargets(),
    receiverPort: receivers.port,
    confirmations: () => sink.mails.flatMap(({ text }) => CONFIRM.exec(text)?.[1] ?? []),
    mails: () => sink.mails.length,
  }
}

async function startTargets(): Promise<Record<string, number>> {
  const packed = await packBomb('gzip')
  const hostilities: Record<string, Hostility> = {
    mute,
    dripHeaders,
    dripBody,
    headerBomb,
    endlessChunks,
    floodOf1xx,
    gzipBomb: bomb('gzip', packed),
  }
  const targets: Record<string, number> = {}
  for (const [name, behave] of Object.entries(hostilities))
    targets[name] = (await startHostile(behave)).port
  return targets
}

const WHOIS_RESPONSES: readonly string[] = [
  '\n'.repeat(WHOIS_BYTES),
  ' '.repeat(WHOIS_BYTES),
  ' \n'.repeat(WHOIS_BYTES / 2),
  `refer:${'\n'.repeat(WHOIS_BYTES - 6)}`,
  `${'expires'.repeat(WHOIS_BYTES / 7)}`,
  `expires${'.'.repeat(WHOIS_BYTES - 7)}`,
  `expires:${'\r'.repeat(WHOIS_BYTES - 8)}`,
]
let whoisRequests = 0

const respondToWhois: Hostility = (socket) => {
  socket.once('data', () =>
    socket.end(WHOIS_RESPONSES[whoisRequests++ % WHOIS_RESPONSES.length] ?? ''),
  )
}

const DRIP_EVERY_MS = 200
/** More than is kept of a response, and it does not compress. */
const MUCH = randomBytes(64 * 1024).toString('hex')

const receive: RequestListener = (request, response) => {
  request.resume()
  switch (request.url) {
    case '/busy':
      return void response.writeHead(429, { 'Retry-After': '1' }).end()
    case '/much':
      return void response.end(MUCH)
    case '/redirect':
      return void response.writeHead(307, { Location: '/redirect' }).end()
    case '/drip': {
      response.writeHead(200, { 'Content-Length': '1000000' })
      const timer = setInterval(() => response.write('x'), DRIP_EVERY_MS)
      return void response.once('close', () => clearInterval(timer))
    }
    default:
      // No response ever.
      return undefined
  }
}
