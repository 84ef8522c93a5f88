// One picture to take, and what the server is made to say for it.
import type { Page } from 'playwright-core'

export type Shot = {
  name: string
  path: string
  isAuth: boolean
  /** It is pictured while it waits for the server. */
  isWaiting?: boolean
  /** Before the page is opened. */
  before?(page: Page): Promise<void>
  /** When it is there. */
  act?(page: Page): Promise<unknown>
}

const json = (body: unknown, status = 200) => ({
  status,
  contentType: 'application/json',
  body: JSON.stringify(body),
})

/** To what is written there; what is read is answered by the server. */
export const respondingWith =
  (url: string, body: unknown, status = 200) =>
  async (page: Page): Promise<void> => {
    await page.route(url, (route) =>
      route.request().method() === 'GET' ? route.fallback() : route.fulfill(json(body, status)),
    )
  }

/** The server's own answer with other facts in it. */
export const changing =
  (url: string, facts: object) =>
  async (page: Page): Promise<void> => {
    await page.route(url, async (route) => {
      const answer = await route.fetch()
      await route.fulfill(json({ ...((await answer.json()) as object), ...facts }))
    })
  }

/** Nothing of the organization can be read: the service has a fault, cannot be reached, or takes its time. */
export async function breakReads(page: Page, how: 'FAULT' | 'AWAY' | 'SLOW'): Promise<void> {
  const error = { code: 'internal_error', message: 'Something went wrong.', requestId: 'req_01m7' }
  await page.route('**/app/api/organizations/**', (route) => {
    if (how === 'SLOW') return
    return how === 'AWAY' ? route.abort() : route.fulfill(json({ error }, 500))
  })
}
