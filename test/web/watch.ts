// An eye on everything that should not happen in a page.
import type { Page } from 'playwright-core'

export type Watched = {
  page: Page
  /** Breaches of the security policy, scripts that failed, dialogs, requests to anybody else: one line each. */
  wrong: string[]
}

export async function watch(page: Page): Promise<Watched> {
  const wrong: string[] = []
  page.on('dialog', (dialog) => {
    // Whether to leave what is not saved is asked by the browser itself.
    const isLeaving = dialog.type() === 'beforeunload'
    if (!isLeaving) wrong.push(`dialog ${dialog.message()}`)
    const answer = () => (isLeaving ? dialog.accept() : dialog.dismiss())
    // A test may have answered it already.
    setImmediate(() => answer().catch(() => undefined))
  })
  page.on('pageerror', (error) => wrong.push(`error ${error.message}`))
  page.on('console', (message) => {
    const text = message.text()
    if (/Content.Security.Policy/i.test(text)) wrong.push(`policy ${text}`)
    else if (/Warning|Minified React error/.test(text)) wrong.push(`react ${text}`)
  })
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.hostname !== '127.0.0.1' && !/^(data|blob):$/.test(url.protocol))
      wrong.push(`outside ${request.url()}`)
  })
  return { page, wrong }
}
