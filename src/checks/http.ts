import type { Check } from './check.ts'
import { fetchPage, type PageTarget, toPageTarget } from './fetch-page.ts'

export type HttpTarget = PageTarget & { type: 'HTTP' }

/** HTTP passes if the final status is an expected one. Its response time ends with the final headers. */
export const httpCheck: Check<HttpTarget> = {
  toTarget: (monitor) => ({ type: 'HTTP', ...toPageTarget(monitor) }),

  async run(target, context) {
    const page = await fetchPage(target, context)
    if ('outcome' in page) return page
    page.reply.close()
    return { outcome: 'OK', ...page.evidence }
  },
}
