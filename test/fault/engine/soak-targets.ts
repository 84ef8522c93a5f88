// The targets of the soak's monitors: healthy and failing, quick and silent, one of each.
import { createServer, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { gzipSync } from 'node:zlib'
import { createAuthority } from '../../kit/targets/certificates.ts'
import { startDnsServer } from '../../kit/targets/dns-server.ts'
import { mute, startHostile } from '../../kit/targets/hostile.ts'
import { listen } from '../../kit/targets/listen.ts'

const DAY_MS = 86_400_000
const PAGE = gzipSync(`${'<p>nothing to see here</p>'.repeat(2000)}needle`)
const PASSED = 0
const FAILED = 2

/** The columns of a monitor that define its check. */
type CheckSettings = {
  type: string
  url?: string
  host?: string
  port?: number
  keyword?: string
  timeoutSeconds?: number
}

/** `share` is in thousandths of all monitors; `verdicts` are those its results may have. */
export type Kind = CheckSettings & { name: string; share: number; verdicts: readonly number[] }

export type SoakTargets = {
  kinds: Kind[]
  /** Where the probe resolves names. */
  dnsAddress: string
  close(): Promise<void>
}

/** Alternates between healthy and failing, so that every check of it opens or resolves an incident. */
export async function openSoakTargets(intervalMs: number): Promise<SoakTargets> {
  const isBadTurn = () => Math.floor(Date.now() / intervalMs) % 2 === 1
  const web = await listen(
    createServer(({ url }, response) => {
      if (url === '/flap') return status(response, isBadTurn() ? 404 : 200)
      if (url !== '/page') return status(response, url === '/well' ? 200 : 404)
      response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(PAGE)
    }),
  )
  const authority = createAuthority()
  const past = {
    notBefore: new Date(Date.now() - 9 * DAY_MS),
    notAfter: new Date(Date.now() - DAY_MS),
  }
  const secure = await listen(createTlsServer(authority.issue('good.test')))
  const expired = await listen(createTlsServer(authority.issue('past.test', past)))
  authority.remove()
  const silent = await startHostile(mute)
  const dns = await startDnsServer(({ name, type }) => {
    dns.asked.length = 0
    return type === 'A' ? { answers: [{ name, type, data: '127.0.0.1' }] } : undefined
  })
  const servers = [web, secure, expired, silent]
  return {
    kinds: kindsOf({
      web: web.port,
      secure: secure.port,
      expired: expired.port,
      silent: silent.port,
    }),
    dnsAddress: dns.address,
    async close() {
      dns.close()
      await Promise.all(servers.map(({ close }) => close()))
    },
  }
}

function status(response: ServerResponse, code: number): void {
  response.writeHead(code, { 'Content-Length': 0 }).end()
}

type Ports = { web: number; secure: number; expired: number; silent: number }

// biome-ignore format: a table is read by its columns
function kindsOf({ web, secure, expired, silent }: Ports): Kind[] {
  const host = '127.0.0.1'
  return [
    { name: 'well',    share: 446, verdicts: [PASSED], type: 'HTTP', url: `http://${host}:${web}/well` },
    { name: 'named',   share: 150, verdicts: [PASSED], type: 'HTTP', url: `http://well.test:${web}/well` },
    { name: 'missing', share: 50,  verdicts: [FAILED], type: 'HTTP', url: `http://${host}:${web}/missing` },
    { name: 'flap',    share: 20,  verdicts: [PASSED, FAILED], type: 'HTTP', url: `http://${host}:${web}/flap` },
    { name: 'keyword', share: 100, verdicts: [PASSED], type: 'KEYWORD', url: `http://${host}:${web}/page`, keyword: 'needle' },
    { name: 'open',    share: 80,  verdicts: [PASSED], type: 'PORT', host, port: web },
    { name: 'refused', share: 20,  verdicts: [FAILED], type: 'PORT', host, port: 1 },
    { name: 'dns',     share: 60,  verdicts: [PASSED], type: 'DNS', url: 'dns.test' },
    { name: 'ssl',     share: 30,  verdicts: [PASSED], type: 'SSL', url: `good.test:${secure}` },
    { name: 'expired', share: 20,  verdicts: [FAILED], type: 'SSL', url: `past.test:${expired}` },
    { name: 'mute',    share: 20,  verdicts: [FAILED], type: 'HTTP', url: `http://${host}:${silent}/`, timeoutSeconds: 1 },
    { name: 'ping',    share: 4,   verdicts: [PASSED], type: 'PING', host },
  ]
}
