import type { WebRequest, WebResponse } from '../../platform/web-exchange.ts'
import type { Links } from '../views/links.ts'
import type { CachedPage } from './snapshots.ts'

/** A reader at a page; `path` is what stands behind the page's address. */
export type PageVisit = { request: WebRequest; page: CachedPage; links: Links; path: string }

/** Something else below a page's address. `isOpen`: it does not ask for the page's password. */
export type PagePart = {
  prefix: string
  isOpen: boolean
  respond(visit: PageVisit): Promise<WebResponse>
}
