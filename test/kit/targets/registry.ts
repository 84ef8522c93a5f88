// Stand-ins for a domain registry: the RDAP bootstrap file, an RDAP server and a WHOIS server.
import { createServer as createHttpServer } from 'node:http'
import { createServer } from 'node:net'
import { listen } from './listen.ts'

type RegistryTarget = {
  bootstrapUrl: string
  whoisServer: string
  /** Every query that arrived, such as `rdap example.com` or `whois example.org`. */
  asked: string[]
  close(): Promise<void>
}

type Registrations = {
  /** RDAP records by domain; a string is sent unchanged. */
  rdap: Record<string, unknown>
  whois: Record<string, string>
  suffixes: string[]
}

/** An RDAP response that contains only what is relevant: the date, and the registrar if there is one. */
export function rdapRecord(expiresAt: string, registrar?: string): object {
  const events = [
    { eventAction: 'registration', eventDate: '1999-01-01T00:00:00Z' },
    { eventAction: 'expiration', eventDate: expiresAt },
  ]
  if (registrar === undefined) return { objectClassName: 'domain', events }
  const name = ['fn', {}, 'text', registrar]
  const card = ['vcard', [['version', {}, 'text', '4.0'], name]]
  const entity = { objectClassName: 'entity', roles: ['registrar'], vcardArray: card }
  return { objectClassName: 'domain', events, entities: [entity] }
}

export async function startRegistry(registrations: Registrations): Promise<RegistryTarget> {
  const { rdap, whois, suffixes } = registrations
  const asked: string[] = []
  const server = createHttpServer((request, response) => {
    const base = `http://127.0.0.1:${http.port}/rdap/`
    if (request.url === '/dns.json') {
      response.end(JSON.stringify({ version: '1.0', services: [[suffixes, [base]]] }))
      return
    }
    const domain = decodeURIComponent(request.url?.replace('/rdap/domain/', '') ?? '')
    asked.push(`rdap ${domain}`)
    const record = rdap[domain]
    response.writeHead(record === undefined ? 404 : 200)
    response.end(typeof record === 'string' ? record : JSON.stringify(record ?? {}))
  })
  const http = await listen(server)
  const tcp = await listen(
    createServer((socket) => {
      socket.once('data', (data) => {
        const domain = data.toString().trim()
        asked.push(`whois ${domain}`)
        socket.end(whois[domain] ?? 'No match.\r\n')
      })
    }),
  )
  return {
    bootstrapUrl: `http://127.0.0.1:${http.port}/dns.json`,
    whoisServer: `127.0.0.1:${tcp.port}`,
    asked,
    async close() {
      await http.close()
      await tcp.close()
    },
  }
}
