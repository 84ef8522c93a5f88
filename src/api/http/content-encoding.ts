// Chooses which compressed form of a response a client gets.
import type { IncomingHttpHeaders } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/** `compressed` is keyed by encoding name, preferred first. */
export type Forms = { identity: Buffer; compressed: ReadonlyMap<string, Buffer> }

// Close to the best size in a fraction of the time: somebody waits for it.
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)

/** On threads of their own: large documents would hold up everybody. */
export async function compress(identity: Buffer): Promise<Forms> {
  const [br, zipped] = await Promise.all([toBrotli(identity, BROTLI), toGzip(identity)])
  return {
    identity,
    compressed: new Map([
      ['br', br],
      ['gzip', zipped],
    ]),
  }
}

export function chooseForm(
  headers: IncomingHttpHeaders,
  { identity, compressed }: Forms,
): [encoding: string, bytes: Buffer] {
  const accepted = acceptedEncodings(String(headers['accept-encoding'] ?? ''))
  for (const form of compressed) if (accepted.has(form[0])) return form
  return ['identity', identity]
}

/** The encodings that a client names and does not exclude with `q=0`. */
export function acceptedEncodings(header: string): Set<string> {
  const named = header.toLowerCase().split(',')
  return new Set(
    named.flatMap((entry) => {
      const [encoding = '', ...parameters] = entry.split(';').map((part) => part.trim())
      return parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)) ? [] : [encoding]
    }),
  )
}
