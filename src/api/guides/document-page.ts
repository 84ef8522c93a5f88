// A document of the project as a page. Links between documents become links between pages.
import { posix } from 'node:path'
import { type GuideLinks, renderGuide } from '../../render/guide.ts'
import { escapeHtml } from '../../render/html.ts'
import { DECISIONS, type PageEntry } from './contents.ts'
import { documentsOf, type Library } from './library.ts'
import { renderPage, type Site } from './page.ts'

type DocumentEntry = PageEntry & { file: string }

export function* renderDocument(site: Site, page: DocumentEntry): Generator<undefined, string> {
  const { path, title, file } = page
  const group = groupOf(site.library, page)
  const summary = page.summary || title
  const text = yield* renderGuide(site.library.read(file).toString(), linksOf(site, page))
  const body = `<p class="group">${escapeHtml(group)}</p>
${text}
${renderNeighbors(site, path)}`
  return renderPage(site, { path, title, description: summary, body })
}

function groupOf({ groups }: Library, { path }: PageEntry): string {
  const place = path.startsWith(`${DECISIONS}/`) ? DECISIONS : path
  return groups.find(({ pages }) => pages.some((page) => page.path === place))?.title ?? ''
}

/** What a link in a document leads to, if it is part of the site. */
function linksOf(site: Site, { path, file }: DocumentEntry): GuideLinks {
  const { library, places } = site
  const pathOf = new Map(documentsOf(library).map((page) => [page.file, page.path]))
  const toFile = (name: string) => {
    const below = name.startsWith('docs/') ? name.slice('docs/'.length) : ''
    return library.files.includes(below) ? places.toFile(path, below) : undefined
  }
  return {
    linkTo(href) {
      if (/^(?:https?:|mailto:|#)/.test(href)) return href
      const [target = '', heading] = href.split('#')
      const name = posix.join(posix.dirname(file), target)
      const to = pathOf.get(name)
      if (to === undefined) return toFile(name)
      return places.toPage(path, to) + (heading === undefined ? '' : `#${heading}`)
    },
    picture(source) {
      const name = posix.join(posix.dirname(file), source)
      const src = toFile(name)
      return src === undefined ? undefined : { src, ...sizeOf(name, library.read(name)) }
    },
  }
}

const VIEW_BOX = /viewBox="0 0 ([\d.]+) ([\d.]+)"/

/** PNG has its size at fixed places; SVG in its view box. */
function sizeOf(name: string, bytes: Buffer): { width: number; height: number } {
  if (name.endsWith('.png'))
    return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
  const [, width, height] = VIEW_BOX.exec(bytes.toString('utf8', 0, 500)) ?? []
  if (height === undefined) throw new Error(`${name} has no view box from 0 0`)
  return { width: Number(width), height: Number(height) }
}

function renderNeighbors({ library, places }: Site, path: string): string {
  const pages = library.groups.flatMap((group) => group.pages)
  const at = pages.findIndex((page) => page.path === path)
  if (at === -1) return ''
  const link = (page: PageEntry | undefined, text: string) =>
    page === undefined
      ? ''
      : `<a href="${places.toPage(path, page.path)}"><span>${text}</span>${escapeHtml(page.title)}</a>`
  return `<div class="near">${link(pages[at - 1], 'Previous')}${link(pages[at + 1], 'Next')}</div>`
}
