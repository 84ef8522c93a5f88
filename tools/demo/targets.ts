// What Acme's monitors check: servers on loopback with realistic responses, and the hostnames that point to them.
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer as createHttps } from 'node:https'
import { createServer as createTcp, type Server } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { startSmtpSink } from '../../test/kit/smtp-sink.ts'
import { createAuthority } from '../../test/kit/targets/certificates.ts'
import { startDnsServer } from '../../test/kit/targets/dns-server.ts'
import { rdapRecord, startRegistry } from '../../test/kit/targets/registry.ts'
import { findFreePort } from '../services/ports.ts'
import type { Environment } from '../stack.ts'

const DAY_MS = 86_400_000
const ROOT_FILE = 'demo-authority.pem'
// Used if they are free, so the URLs are the same in every run.
const WANTED = {
  https: 28_443,
  httpsExpiring: 29_443,
  postgres: 25_432,
  redis: 26_379,
  hooks: 28_444,
}

export type Addresses = Readonly<Record<keyof typeof WANTED | 'smtp', number>>
export type Targets = { at: Addresses; env: Environment; close(): Promise<void> }

type Name = keyof typeof WANTED

const REGISTRAR = 'Example Registrar, Inc.'
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS)

export async function startTargets(directory: string): Promise<Targets> {
  const servers = createServers(directory)
  const ports = { ...WANTED }
  for (const name of Object.keys(WANTED) as Name[])
    ports[name] = await listen(servers[name], WANTED[name])
  const sink = await startSmtpSink()
  const dns = await startDnsServer(({ name, type }) => records(name, type))
  const registry = await startRegistry({
    suffixes: ['example'],
    rdap: {
      'acme.example': rdapRecord(inDays(212).toISOString(), REGISTRAR),
      'acme-labs.example': rdapRecord(inDays(19).toISOString(), REGISTRAR),
    },
    whois: {},
  })
  const hooks = `https://hooks.acme.example:${ports.hooks}`
  return {
    at: { ...ports, smtp: sink.port },
    env: {
      PROBE_DNS_SERVERS: dns.address,
      RDAP_BOOTSTRAP_URL: registry.bootstrapUrl,
      WHOIS_SERVER: registry.whoisServer,
      NODE_EXTRA_CA_CERTS: join(directory, ROOT_FILE),
      REGION: 'eu-central',
      SMTP_URL: `smtp://127.0.0.1:${sink.port}?tls=off`,
      SMTP_FROM: 'status@acme.example',
      TELEGRAM_URL: hooks,
      PAGERDUTY_URL: hooks,
      OPSGENIE_URL: hooks,
      PUSHOVER_URL: hooks,
      JIRA_SERVICE_MANAGEMENT_URL: hooks,
      INCIDENT_IO_URL: hooks,
      GITHUB_ISSUES_URL: hooks,
      TWILIO_URL: hooks,
    },
    async close() {
      for (const server of Object.values(servers)) server.close()
      dns.close()
      await Promise.all([sink.close(), registry.close()])
    },
  }
}

/** Writes the certificate authority that the product must trust to a file in `directory`. */
function createServers(directory: string): Record<Name, Server> {
  const authority = createAuthority('Acme Trust Services')
  const san = 'DNS:acme.example,DNS:*.acme.example'
  const shop = authority.issue('acme.example', { san, notAfter: inDays(61) })
  const partners = authority.issue('partners.acme.example', { notAfter: inDays(9) })
  writeFileSync(join(directory, ROOT_FILE), authority.root)
  authority.remove()
  const silent = () => createTcp((socket) => socket.on('error', () => undefined))
  return {
    https: createHttps(shop, (request, response) => void respond(request, response)),
    httpsExpiring: createHttps(partners, (request, response) => void respond(request, response)),
    postgres: silent(),
    redis: silent(),
    hooks: createHttps(shop, (request, response) => void receive(request, response)),
  }
}

async function listen(server: Server, wanted: number): Promise<number> {
  try {
    server.listen(wanted, '127.0.0.1')
    await once(server, 'listening')
    return wanted
  } catch {
    const port = await findFreePort()
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return port
  }
}

function records(name: string, type: string) {
  if (!/(^|\.)acme(-labs)?\.example$/.test(name)) return 'NXDOMAIN' as const
  const own = { name, ttl: 300 }
  if (type === 'A') return { answers: [{ ...own, type: 'A' as const, data: '127.0.0.1' }] }
  if (type === 'MX')
    return {
      answers: [
        { ...own, type: 'MX' as const, data: { preference: 10, exchange: 'mail.acme.example' } },
      ],
    }
  if (type === 'CNAME' && name === 'api.acme.example')
    return { answers: [{ ...own, type: 'CNAME' as const, data: 'edge.acme.example' }] }
  return undefined
}

const PAGES: Readonly<Record<string, { usualMs: number; status?: number; body?: string }>> = {
  '/checkout/health': {
    usualMs: 80,
    status: 503,
    body: 'upstream connect error or disconnect/reset before headers',
  },
  '/v2/search?q=vane': { usualMs: 760 },
  '/prices': { usualMs: 150, body: '<h1>Offers</h1><p>from 19.00 EUR</p>' },
  '/sign-in': { usualMs: 80, body: '<label>Password</label>' },
  '/banner': { usualMs: 130, body: '<h1>Shop</h1>' },
}

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { url = '/', headers } = request
  const {
    usualMs,
    status = 200,
    body = 'ok',
  } = PAGES[url] ?? {
    usualMs: 30 + ((url.length + (headers.host?.length ?? 0) * 7) % 160),
  }
  await delay(usualMs * (0.8 + Math.random() * 0.5))
  if (!response.destroyed) response.writeHead(status, { 'Content-Type': 'text/html' }).end(body)
}

/** Receives the events and alerts. One receiver is broken, one channel is archived. */
async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  request.resume()
  await delay(20 + Math.random() * 60)
  const { url = '' } = request
  if (response.destroyed) return
  if (url.startsWith('/warehouse'))
    return void response.writeHead(500).end('{"error":"queue is full"}')
  if (url.startsWith('/discord/archived'))
    return void response.writeHead(404).end('{"message":"Unknown Webhook","code":10015}')
  const isJson = !url.startsWith('/slack')
  response.end(isJson ? '{"ok":true,"status":"success","result":"done","id":"1"}' : 'ok')
}
