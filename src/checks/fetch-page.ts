// Shared by HTTP and KEYWORD: send the request, follow redirects, check the status.
import type { MonitorSettings } from '../domain/monitors/monitor.ts'
import { readBody } from '../outbound/http-body.ts'
import type { HttpReply, HttpRequest } from '../outbound/http-request.ts'
import { isPublic } from '../outbound/permit.ts'
import { unexpectedStatus } from './cause-text.ts'
import { type AttemptEvidence, type CheckContext, type CheckFinding, failed } from './check.ts'
import { nextRequest } from './redirects.ts'

const MAX_REDIRECTS = 10
const SENDS_BODY = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])
const DEFAULT_HEADERS = { accept: '*/*', 'accept-encoding': 'gzip, deflate, br, zstd' }
const EXCERPT_BYTES = 1024
const EXCERPT_MS = 1_000

/** What a request needs, whatever the response is checked for. */
export type PageTarget = { url: string } & Pick<
  MonitorSettings,
  | 'method'
  | 'requestHeaders'
  | 'requestBody'
  | 'expectedStatus'
  | 'followRedirects'
  | 'verifySsl'
  | 'timeoutSeconds'
>

export function toPageTarget(monitor: MonitorSettings): PageTarget {
  return {
    url: monitor.url ?? '',
    method: monitor.method,
    requestHeaders: monitor.requestHeaders,
    requestBody: monitor.requestBody,
    expectedStatus: monitor.expectedStatus,
    followRedirects: monitor.followRedirects,
    verifySsl: monitor.verifySsl,
    timeoutSeconds: monitor.timeoutSeconds,
  }
}

/** Returns the final response if its status is expected; otherwise a finding. */
export async function fetchPage(
  page: PageTarget,
  context: CheckContext,
): Promise<{ reply: HttpReply; evidence: AttemptEvidence } | CheckFinding> {
  const reply = await follow(toRequest(page), page.followRedirects, context)
  if (reply === undefined)
    return failed('TOO_MANY_REDIRECTS', `More than ${MAX_REDIRECTS} redirects`)

  const evidence = { httpStatus: reply.status, responseMs: context.elapsedMs() }
  if (page.expectedStatus.includes(reply.status)) return { reply, evidence }
  const excerpt = await readExcerpt(reply, context)
  reply.close()
  return failed('UNEXPECTED_STATUS', unexpectedStatus(reply.status, page.expectedStatus), {
    ...evidence,
    ...(excerpt !== '' && { bodyExcerpt: excerpt }),
  })
}

async function follow(
  first: HttpRequest,
  followRedirects: boolean,
  context: CheckContext,
): Promise<HttpReply | undefined> {
  let request = first
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    const reply = await context.request(request)
    const next = followRedirects ? following(request, reply) : undefined
    if (next === undefined) return reply
    reply.close()
    request = next
  }
  return undefined
}

function following(request: HttpRequest, reply: HttpReply): HttpRequest | undefined {
  try {
    return nextRequest(request, reply.status, reply.headers.location)
  } catch (error) {
    reply.close()
    throw error
  }
}

function toRequest(page: PageTarget): HttpRequest {
  const given = page.requestHeaders ?? {}
  const names = new Set(Object.keys(given).map((name) => name.toLowerCase()))
  const defaults = Object.entries(DEFAULT_HEADERS).filter(([name]) => !names.has(name))
  return {
    url: new URL(page.url),
    method: page.method,
    headers: { ...Object.fromEntries(defaults), ...given },
    verifySsl: page.verifySsl,
    ...(SENDS_BODY.has(page.method) && { body: page.requestBody ?? '' }),
  }
}

/** The start of an unexpected response, as evidence: worth a short wait, never another failure. */
async function readExcerpt(reply: HttpReply, { signal, trace }: CheckContext): Promise<string> {
  // Pages of a private network must not leak through an incident.
  if (!isPublic(trace.resolvedIp ?? '')) return ''
  const timer = setTimeout(reply.close, EXCERPT_MS)
  const decoder = toDecoder(reply)
  let text = ''
  try {
    for await (const chunk of readBody(reply.message, { maxBytes: EXCERPT_BYTES, signal }))
      text += decoder.decode(chunk, { stream: true })
  } catch {
    // Whatever arrived before is the evidence.
  } finally {
    clearTimeout(timer)
  }
  return text.replaceAll('\0', '\uFFFD').toWellFormed()
}

/** Decodes text in the charset the response names, or as UTF-8 if it is unknown. */
export function toDecoder(reply: HttpReply): TextDecoder {
  const [, charset = 'utf-8'] =
    /charset\s*=\s*"?([^\s";]+)/i.exec(reply.headers['content-type'] ?? '') ?? []
  try {
    return new TextDecoder(charset)
  } catch {
    return new TextDecoder()
  }
}
