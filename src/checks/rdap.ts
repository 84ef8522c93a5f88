// RDAP (RFC 9082, 9224): the bootstrap file names the registry's server, and the server returns the expiry date and the
// registrar. All data read here is untrusted.
import { toIssuer } from '../domain/monitors/issuer.ts'
import { readBody } from '../outbound/http-body.ts'
import type { OutboundConnection } from '../outbound/outbound-connection.ts'

/** The registrar is null if the registry does not name it. */
export type Registration = { expiresAt: Date; registrar: string | null }

/** `ABSENT`: the registry says that the domain does not exist. */
export type RegistryResult = Registration | 'ABSENT' | undefined

const MAX_BOOTSTRAP_BYTES = 1024 * 1024
const MAX_RECORD_BYTES = 256 * 1024
const NOT_FOUND = 404

export async function queryRdap(
  domain: string,
  bootstrapUrl: string,
  connection: OutboundConnection,
): Promise<RegistryResult> {
  const bootstrap = await readJson(bootstrapUrl, MAX_BOOTSTRAP_BYTES, connection)
  const server = findServer(bootstrap.json, domain)
  if (server === undefined) return undefined
  const address = `${server.replace(/\/?$/, '/')}domain/${encodeURIComponent(domain)}`
  const record = await readJson(address, MAX_RECORD_BYTES, connection)
  if (record.status === NOT_FOUND) return 'ABSENT'
  const expiresAt = findExpiry(record.json)
  return expiresAt && { expiresAt, registrar: findRegistrar(record.json) }
}

type Read = { status?: number; json?: unknown }

async function readJson(
  address: string,
  maxBytes: number,
  connection: OutboundConnection,
): Promise<Read> {
  const url = URL.parse(address)
  if (url === null) return {}
  const reply = await connection.request({
    url,
    method: 'GET',
    headers: { Accept: 'application/rdap+json, application/json' },
    verifySsl: true,
  })
  try {
    const { status } = reply
    if (status !== 200) return { status }
    const chunks: Buffer[] = []
    for await (const chunk of readBody(reply.message, { maxBytes, signal: connection.signal }))
      chunks.push(chunk)
    return { status, json: parseJson(Buffer.concat(chunks).toString('utf8')) }
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

/** `entities: [{ roles: ["registrar"], vcardArray: ["vcard", [["fn", {}, "text", "Example Inc."], …]] }, …]`. */
export function findRegistrar(record: unknown): string | null {
  const names = toArray(fieldOf(record, 'entities'))
    .filter((entity) => toArray(fieldOf(entity, 'roles')).includes('registrar'))
    .map((entity) => nameIn(toArray(toArray(fieldOf(entity, 'vcardArray'))[1])))
  return names.find((name) => name !== null) ?? null
}

/** The formatted name, or else the organization, which may be a list of its units. */
function nameIn(vcard: readonly unknown[]): string | null {
  const properties = vcard.map(toArray)
  const valueOf = (wanted: string) => properties.find(([name]) => name === wanted)?.[3]
  return toIssuer(valueOf('fn')) ?? toIssuer([valueOf('org')].flat()[0])
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined
}

function toArray(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}
