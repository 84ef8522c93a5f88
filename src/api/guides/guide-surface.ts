// /docs: the API reference, and below it the guides of the version that is installed.
import { noSuchAddress } from '../../platform/api-error.ts'
import { finishInTurn } from '../../platform/limits/busy-work.ts'
import type { Surface } from '../http/surface.ts'
import { type Document, documentServer } from '../reference/documents.ts'
import { FONT_PATH } from '../reference/style.ts'
import { type PageEntry, REFERENCE } from './contents.ts'
import { openLibrary } from './library.ts'
import type { Places } from './page.ts'
import { type SiteFile, siteFiles } from './site.ts'

const PREFIX = '/docs'

const pathOf = (page: string) => (page === REFERENCE ? PREFIX : `${PREFIX}/${page}`)

const SERVED: Places = {
  toPage: (_, to) => pathOf(to),
  toFile: (_, file) => `${PREFIX}/${file}`,
  font: () => FONT_PATH,
  // The headers have the policy.
  head: () => '',
}

type Options = { root: string; baseUrl: string; version: string; reference: Document }
type Server = ReturnType<typeof documentServer>

/** Nothing is read before the first request. `root` has docs/ and the notes beside it, as they were installed. */
export function guideSurface({ root, baseUrl, version, reference }: Options): Surface {
  const serveReference = documentServer(reference)
  let servers: Map<string, Server> | undefined
  const openServers = () => {
    const site = { library: openLibrary(root), places: SERVED, version }
    const files = siteFiles(site, (page) => `${baseUrl}${addressForMachines(page)}`)
    return new Map(
      [...files].map(([path, file]) => [pathOf(path), documentServer(toDocument(file))]),
    )
  }
  return {
    prefix: PREFIX,
    serve(request, response, { path }) {
      if (path === PREFIX) return serveReference(request, response)
      servers ??= openServers()
      const server = servers.get(path)
      if (server === undefined) throw noSuchAddress()
      return server(request, response)
    },
  }
}

const addressForMachines = ({ path, file }: PageEntry) =>
  file === undefined ? pathOf(path) : `${pathOf(path)}.md`

function toDocument({ type, body, policy, isPicture }: SiteFile): Document {
  return {
    type,
    body: () => finishInTurn('docs', body()),
    isCompressed: isPicture ?? false,
    headers: {
      'Content-Security-Policy': `${policy}; frame-ancestors 'none'`,
      'Referrer-Policy': 'no-referrer',
      'X-Frame-Options': 'DENY',
    },
  }
}
