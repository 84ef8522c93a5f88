// Records everything that should not happen in a page.
import type { Page } from 'playwright-core'

export type Watched = {
  page: Page
  /** Violations of the security policy, script errors, dialogs, requests to other origins: one line each. */
  wrong: string[]
}

export async function watch(page: Page): Promise<Watched> {
  const wrong: string[] = []
  page.on('dialog', (dialog) => {
    // The browser itself asks whether to discard unsaved changes.
    const isLeaving = dialog.type() === 'beforeunload'
    if (!isLeaving) wrong.push(`dialog ${dialog.message()}`)
    const answer = () => (isLeaving ? dialog.accept() : dialog.dismiss())
    // A test may have handled it already.
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
