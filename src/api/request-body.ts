// Reads the body of a POST or PATCH: JSON in UTF-8, at most 2 MiB, or a problem in the words of the contract.
import type { IncomingMessage } from 'node:http'
import type { Problem } from '../domain/problem.ts'

export type ReadBody = { json: unknown } | { absent: true } | { problems: Problem[] }

export const MAX_BODY_BYTES = 2 * 1024 * 1024
const utf8 = new TextDecoder('utf-8', { fatal: true })

/** The client went away while it was sending: nobody is left to answer. */
export class ClientGone extends Error {}

export async function readJsonBody(request: IncomingMessage): Promise<ReadBody> {
  const bytes = await readBytes(request)
  if (bytes === undefined) return { problems: [{ path: 'body', message: 'must be at most 2 MiB' }] }
  if (bytes.length === 0) return { absent: true }

  const problems = headerProblems(request)
  if (problems.length > 0) return { problems }
  try {
    return { json: JSON.parse(utf8.decode(bytes)) }
  } catch {
    return { problems: [{ path: 'body', message: 'must be JSON in UTF-8' }] }
  }
}

function headerProblems({ headers }: IncomingMessage): Problem[] {
  const problems: Problem[] = []
  if (!isJsonType(headers['content-type'] ?? ''))
    problems.push({ path: 'content-type', message: 'must be application/json' })
  const encoding = headers['content-encoding']?.trim().toLowerCase()
  if (encoding !== undefined && encoding !== 'identity' && encoding !== '')
    problems.push({ path: 'content-encoding', message: 'must be identity: send it uncompressed' })
  return problems
}

function isJsonType(contentType: string): boolean {
  const [type = '', ...parameters] = contentType.toLowerCase().split(';')
  if (type.trim() !== 'application/json') return false
  const charsets = parameters
    .map((text) => text.trim())
    .filter((text) => text.startsWith('charset='))
  return charsets.every((text) => /^charset="?utf-?8"?$/.test(text))
}

/** Undefined when there is too much of it; what is left is read and dropped by the server. */
function readBytes(request: IncomingMessage): Promise<Buffer | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) {
    request.resume()
    return Promise.resolve(undefined)
  }
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > MAX_BODY_BYTES) resolve(undefined)
      else chunks.push(chunk)
    })
    request.on('end', () => resolve(Buffer.concat(chunks)))
    request.on('error', () => reject(new ClientGone()))
    request.on('close', () => reject(new ClientGone()))
  })
}
