// /.well-known/security.txt: where to report a vulnerability in this installation (RFC 9116).
import { methodNotAllowed } from '../../platform/api-error.ts'
import type { Surface } from '../http/surface.ts'

const PATH = '/.well-known/security.txt'
// The standard recommends less than a year. The date moves on as long as the service runs.
const VALID_DAYS = 180
const DAY_MS = 86_400_000

/** None without a contact: the path is then unknown, like any other. */
export function securityTxtSurfaces(contacts: readonly string[], baseUrl: string): Surface[] {
  if (contacts.length === 0) return []
  return [
    {
      prefix: PATH,
      serve(request, response) {
        if (request.method !== 'GET' && request.method !== 'HEAD') throw methodNotAllowed('GET')
        const body = securityTxt(contacts, baseUrl, new Date())
        response.writeHead(200, {
          'Content-Type': 'text/plain; charset=utf-8',
          'Content-Length': Buffer.byteLength(body),
          'Cache-Control': 'public, max-age=3600',
          'X-Content-Type-Options': 'nosniff',
          'X-Request-Id': request.requestId,
        })
        response.end(body)
      },
    },
  ]
}

export function securityTxt(contacts: readonly string[], baseUrl: string, now: Date): string {
  // The same for a whole day, so that caches and people see one text.
  const expiresMs = (Math.floor(now.getTime() / DAY_MS) + VALID_DAYS) * DAY_MS
  return [
    ...contacts.map((contact) => `Contact: ${contact}`),
    `Expires: ${new Date(expiresMs).toISOString()}`,
    `Canonical: ${baseUrl}${PATH}`,
    'Preferred-Languages: en',
    '',
  ].join('\n')
}
