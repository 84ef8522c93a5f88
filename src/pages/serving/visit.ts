import type { WebRequest, WebResponse } from '../../platform/web-exchange.ts'
import type { Links } from '../views/links.ts'
import type { CachedPage } from './snapshots.ts'

/** A visit to a page. `path`: the rest of the path after the page's URL. */
export type PageVisit = { request: WebRequest; page: CachedPage; links: Links; path: string }

/** Another handler below a page's URL. `isOpen`: it does not require the page's password. */
export type PagePart = {
  prefix: string
  isOpen: boolean
  respond(visit: PageVisit): Promise<WebResponse>
}
