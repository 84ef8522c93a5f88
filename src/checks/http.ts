import type { Check, HttpTarget } from './check.ts'
import { fetchPage } from './fetch-page.ts'

/** HTTP passes if the final status is an expected one. Its response time ends with the final headers. */
export const checkHttp: Check<HttpTarget> = async (target, context) => {
  const page = await fetchPage(target, context)
  if ('outcome' in page) return page
  page.reply.close()
  return { outcome: 'OK', ...page.evidence }
}
