import type { MonitorSettings } from '../domain/monitors/monitor.ts'
import { readBody } from '../outbound/http-body.ts'
import type { HttpReply } from '../outbound/http-request.ts'
import { keywordMissing, keywordPresent } from './cause-text.ts'
import { type Check, failed } from './check.ts'
import { fetchPage, type PageTarget, toDecoder, toPageTarget } from './fetch-page.ts'

export type KeywordTarget = PageTarget &
  Pick<MonitorSettings, 'keywordMatch'> & { type: 'KEYWORD'; keyword: string }

const MAX_BODY_BYTES = 1024 * 1024

/** KEYWORD passes if the status is expected and the text contains, or does not contain, the keyword. */
export const keywordCheck: Check<KeywordTarget> = {
  toTarget: (monitor) => ({
    type: 'KEYWORD',
    ...toPageTarget(monitor),
    keyword: monitor.keyword ?? '',
    keywordMatch: monitor.keywordMatch,
  }),

  async run(target, context) {
    const page = await fetchPage(target, context)
    if ('outcome' in page) return page
    try {
      const found = await contains(page.reply, target.keyword, context.signal)
      const evidence = { ...page.evidence, responseMs: context.elapsedMs() }
      if (found === (target.keywordMatch === 'EXISTS')) return { outcome: 'OK', ...evidence }
      return found
        ? failed('KEYWORD_PRESENT', keywordPresent(target.keyword), evidence)
        : failed('KEYWORD_MISSING', keywordMissing(target.keyword), evidence)
    } finally {
      page.reply.close()
    }
  },
}

/** Searches chunk by chunk and keeps the end of each, because a keyword may span two chunks. */
async function contains(reply: HttpReply, keyword: string, signal: AbortSignal): Promise<boolean> {
  const decoder = toDecoder(reply)
  let text = ''
  for await (const chunk of readBody(reply.message, { maxBytes: MAX_BODY_BYTES, signal })) {
    text += decoder.decode(chunk, { stream: true })
    if (text.includes(keyword)) return true
    text = text.slice(text.length - Math.min(text.length, keyword.length - 1))
  }
  return (text + decoder.decode()).includes(keyword)
}
