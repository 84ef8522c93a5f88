// The door of a page with a password.
import { ApiError } from '../platform/api-error.ts'
import { verifyPassword } from '../platform/crypto/password.ts'
import { KeyedConcurrencyLimit } from '../platform/limits/keyed-concurrency-limit.ts'
import type { WebAnswer } from '../platform/web-exchange.ts'
import type { GuessThrottle } from './guess-throttle.ts'
import type { PageSessions } from './page-session.ts'
import { plainAnswer, smallAnswer } from './serving/responses.ts'
import { isForPeople, parseRoute, type Route } from './serving/routes.ts'
import type { Visit } from './serving/visit.ts'
import { type Refusal, renderPasswordForm } from './views/small-pages.ts'

const MAX_FORM_BYTES = 4_096
const MAX_PASSWORD_LENGTH = 128
const WAIT_SECONDS = '900'
const BUSY_SECONDS = '1'
// One at a time over all pages, in turn: guessing at one page delays neither another page nor signing in.
const verifying = new KeyedConcurrencyLimit({
  total: 1,
  perKey: 1,
  maxWaitingPerKey: 50,
  maxWaitMs: 10_000,
})
// A 401 names a way in; browsers do not know this one and show the form.
const CHALLENGE = { 'WWW-Authenticate': 'Cookie realm="status page"' }

/** People get the form; machines, and what is no part of the page at all, the bare status. */
export function askPassword(visit: Visit, route: Route | undefined): WebAnswer {
  if (route !== undefined && !isForPeople(route)) return plainAnswer(401, CHALLENGE)
  return form(visit, visit.path, undefined)
}

export async function unlock(
  visit: Visit,
  sessions: PageSessions,
  throttle: GuessThrottle,
): Promise<WebAnswer> {
  const { request, page, links } = visit
  if (request.method !== 'POST') return plainAnswer(303, { Location: links.home })
  const { passwordHash } = page
  if (passwordHash === null) return plainAnswer(303, { Location: links.home })
  const sent = new URLSearchParams((await request.readBody(MAX_FORM_BYTES)) ?? '')
  const next = sent.get('next') ?? ''
  const { pageId } = page.ids
  const [address, nowMs] = [request.clientAddress, Date.now()]
  if (!throttle.admits(pageId, address, nowMs)) return form(visit, next, 'TOO_MANY')
  // Counted before the slow work: many at once would all pass otherwise.
  throttle.countWrong(pageId, address, nowMs)
  const isRight = await judge(pageId, sent.get('password') ?? '', passwordHash)
  if (isRight === undefined) {
    throttle.takeBack(pageId, address)
    return plainAnswer(429, { 'Retry-After': BUSY_SECONDS })
  }
  if (!isRight) return form(visit, next, 'WRONG')
  throttle.forgive(pageId, address)
  const { url } = page.documents.snapshot.page
  const cookie = sessions.open(
    { pageId, passwordHash },
    { path: links.home, isSecure: url.startsWith('https:'), nowMs },
  )
  return plainAnswer(303, {
    Location: `${links.base}${safeNext(next)}` || '/',
    'Set-Cookie': cookie,
  })
}

/** Undefined when too many passwords are being hashed already. */
async function judge(
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

/** Only to a part of this page that people read. */
function safeNext(next: string): string {
  const route = parseRoute(next)
  return route !== undefined && isForPeople(route) ? next : ''
}

function form({ page, links }: Visit, next: string, refusal: Refusal): WebAnswer {
  const { locale, theme, accentColor } = page.documents.snapshot.page
  const look = { locale, theme, accentColor, links }
  const small = renderPasswordForm(look, safeNext(next), refusal)
  if (refusal === 'TOO_MANY') return smallAnswer(429, small, { 'Retry-After': WAIT_SECONDS })
  return smallAnswer(401, small, CHALLENGE)
}
