import type { WebAnswer, WebRequest } from '../../platform/web-exchange.ts'
import type { Links } from '../views/links.ts'
import type { KnownPage } from './snapshots.ts'

/** A reader at a page; `path` is what stands behind the page's address. */
export type Visit = { request: WebRequest; page: KnownPage; links: Links; path: string }

/** Something else below a page's address. `isOpen`: it does not ask for the page's password. */
export type PagePart = {
  prefix: string
  isOpen: boolean
  answer(visit: Visit): Promise<WebAnswer>
}
