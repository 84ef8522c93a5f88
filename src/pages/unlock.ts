// The password form of a protected page.
import { ApiError } from '../platform/api-error.ts'
import { verifyPassword } from '../platform/crypto/password.ts'
import { KeyedConcurrencyLimit } from '../platform/limits/keyed-concurrency-limit.ts'
import type { WebResponse } from '../platform/web-exchange.ts'
import type { GuessThrottle } from './guess-throttle.ts'
import type { PageSessions } from './page-session.ts'
import { plainResponse, smallPageResponse } from './serving/responses.ts'
import { isForPeople, type PageRoute, parseRoute } from './serving/routes.ts'
import type { PageVisit } from './serving/visit.ts'
import { type PasswordRefusal, renderPasswordForm } from './views/small-pages.ts'

const MAX_FORM_BYTES = 4_096
const MAX_PASSWORD_LENGTH = 128
const WAIT_SECONDS = '900'
const BUSY_SECONDS = '1'
// One at a time across all pages, in turn: guessing at one page delays neither other pages nor sign-in.
const verifying = new KeyedConcurrencyLimit({
  total: 1,
  perKey: 1,
  maxWaitingPerKey: 50,
  maxWaitMs: 10_000,
})
// A 401 must name a scheme; browsers do not know this one and show the form.
const CHALLENGE = { 'WWW-Authenticate': 'Cookie realm="status page"' }

/** Routes for machines get the bare status; people, and unknown paths, get the form. */
export function requestPassword(visit: PageVisit, route: PageRoute | undefined): WebResponse {
  if (route !== undefined && !isForPeople(route)) return plainResponse(401, CHALLENGE)
  return form(visit, visit.path, undefined)
}

export async function unlock(
  visit: PageVisit,
  sessions: PageSessions,
  throttle: GuessThrottle,
): Promise<WebResponse> {
  const { request, page, links } = visit
  if (request.method !== 'POST') return plainResponse(303, { Location: links.home })
  const { passwordHash } = page
  if (passwordHash === null) return plainResponse(303, { Location: links.home })
  const sent = new URLSearchParams((await request.readBody(MAX_FORM_BYTES)) ?? '')
  const next = sent.get('next') ?? ''
  const { pageId } = page.ids
  const [address, nowMs] = [request.clientAddress, Date.now()]
  if (!throttle.admits(pageId, address, nowMs)) return form(visit, next, 'TOO_MANY')
  // Counted before the slow work: otherwise many concurrent guesses would all pass.
  throttle.countWrong(pageId, address, nowMs)
  const isRight = await verifyGuess(pageId, sent.get('password') ?? '', passwordHash)
  if (isRight === undefined) {
    throttle.takeBack(pageId, address)
    return plainResponse(429, { 'Retry-After': BUSY_SECONDS })
  }
  if (!isRight) return form(visit, next, 'WRONG')
  throttle.forgive(pageId, address)
  const { url } = page.documents.snapshot.page
  const cookie = sessions.open(
    { pageId, passwordHash },
    { path: links.home, isSecure: url.startsWith('https:'), nowMs },
  )
  return plainResponse(303, {
    Location: `${links.base}${safeNext(next)}` || '/',
    'Set-Cookie': cookie,
  })
}

/** Undefined if too many passwords are being hashed already. */
async function verifyGuess(
  pageId: string,
  password: string,
  passwordHash: string,
): Promise<boolean | undefined> {
  if (password.length > MAX_PASSWORD_LENGTH) return false
  try {
    return await verifying.run(pageId, () => verifyPassword(password, passwordHash))
  } catch (error) {
    if (error instanceof ApiError && error.code === 'rate_limited') return undefined
    throw error
  }
}

/** Only a part of this page that is for people. */
function safeNext(next: string): string {
  const route = parseRoute(next)
  return route !== undefined && isForPeople(route) ? next : ''
}

function form({ page, links }: PageVisit, next: string, refusal: PasswordRefusal): WebResponse {
  const { locale, theme, accentColor } = page.documents.snapshot.page
  const appearance = { locale, theme, accentColor, links }
  const small = renderPasswordForm(appearance, safeNext(next), refusal)
  if (refusal === 'TOO_MANY') return smallPageResponse(429, small, { 'Retry-After': WAIT_SECONDS })
  return smallPageResponse(401, small, CHALLENGE)
}
