// One screenshot to take, and the server responses to mock for it.
import type { Page } from 'playwright-core'

export type Shot = {
  name: string
  path: string
  isAuth: boolean
  /** Captured while it waits for the server. */
  isWaiting?: boolean
  /** Runs before the page is opened. */
  before?(page: Page): Promise<void>
  /** Runs when the page is loaded. */
  act?(page: Page): Promise<unknown>
}

const json = (body: unknown, status = 200) => ({
  status,
  contentType: 'application/json',
  body: JSON.stringify(body),
})

/** The response to writes; reads go to the server. */
export const respondingWith =
  (url: string, body: unknown, status = 200) =>
  async (page: Page): Promise<void> => {
    await page.route(url, (route) =>
      route.request().method() === 'GET' ? route.fallback() : route.fulfill(json(body, status)),
    )
  }

/** The server's own response with some values replaced. */
export const changing =
  (url: string, fields: object) =>
  async (page: Page): Promise<void> => {
    await page.route(url, async (route) => {
      const answer = await route.fetch()
      await route.fulfill(json({ ...((await answer.json()) as object), ...fields }))
    })
  }

/** Breaks all reads of the organization: the server fails, is unreachable, or is slow. */
export async function breakReads(page: Page, how: 'FAULT' | 'AWAY' | 'SLOW'): Promise<void> {
  const error = { code: 'internal_error', message: 'Something went wrong.', requestId: 'req_01m7' }
  await page.route('**/app/api/organizations/**', (route) => {
    if (how === 'SLOW') return
    return how === 'AWAY' ? route.abort() : route.fulfill(json({ error }, 500))
  })
  // What finds out whether the server responds.
  if (how === 'AWAY') await page.route('**/app/api/session', (route) => route.abort())
}
