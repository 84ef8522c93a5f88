// RDAP (RFC 9082, 9224): the bootstrap file names the registry's server, the server names the date.
// Every byte read here was written by strangers.
import { readBody } from '../outbound/http-body.ts'
import type { WayOut } from '../outbound/way-out.ts'

const MAX_BOOTSTRAP_BYTES = 1024 * 1024
const MAX_RECORD_BYTES = 256 * 1024

export async function askRdap(
  domain: string,
  bootstrapUrl: string,
  wayOut: WayOut,
): Promise<Date | undefined> {
  const bootstrap = await readJson(bootstrapUrl, MAX_BOOTSTRAP_BYTES, wayOut)
  const server = findServer(bootstrap, domain)
  if (server === undefined) return undefined
  const address = `${server.replace(/\/?$/, '/')}domain/${encodeURIComponent(domain)}`
  return findExpiry(await readJson(address, MAX_RECORD_BYTES, wayOut))
}

async function readJson(address: string, maxBytes: number, wayOut: WayOut): Promise<unknown> {
  const url = URL.parse(address)
  if (url === null) return undefined
  const reply = await wayOut.request({
    url,
    method: 'GET',
    headers: { Accept: 'application/rdap+json, application/json' },
    verifySsl: true,
  })
  try {
    if (reply.status !== 200) return undefined
    const chunks: Buffer[] = []
    for await (const chunk of readBody(reply.message, { maxBytes, signal: wayOut.signal }))
      chunks.push(chunk)
    return parseJson(Buffer.concat(chunks).toString('utf8'))
  } finally {
    reply.close()
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** `services: [[["com", "net"], ["https://rdap.example/"]], …]`; the longest matching suffix wins. */
export function findServer(bootstrap: unknown, domain: string): string | undefined {
  const services = fieldOf(bootstrap, 'services')
  let best = { suffix: '', server: undefined as string | undefined }
  for (const service of toArray(services)) {
    const [suffixes, servers] = toArray(service)
    const server = toArray(servers).find((url) => /^https?:\/\//.test(String(url)))
    for (const suffix of toArray(suffixes).map(String))
      if (suffix.length > best.suffix.length && `.${domain}`.endsWith(`.${suffix.toLowerCase()}`))
        best = { suffix, server: server === undefined ? undefined : String(server) }
  }
  return best.server
}

export function findExpiry(record: unknown): Date | undefined {
  const event = toArray(fieldOf(record, 'events')).find(
    (candidate) => fieldOf(candidate, 'eventAction') === 'expiration',
  )
  const expiresAt = new Date(String(fieldOf(event, 'eventDate')))
  return Number.isNaN(expiresAt.getTime()) ? undefined : expiresAt
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined
}

function toArray(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}
