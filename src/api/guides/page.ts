// A page of the guides: header, navigation and one document. Complete without scripts.
import { sectionsOf } from '../../render/guide-blocks.ts'
import { escapeHtml } from '../../render/html.ts'
import { WORDMARK } from '../reference/page.ts'
import { HOME, type PageEntry, REFERENCE, SEARCH } from './contents.ts'
import type { Library } from './library.ts'
import { guideStyle } from './style.ts'

/** How pages and files are addressed: below /docs of the service, or relative in the static site. */
export type Places = {
  /** From one page to another, by their paths. */
  toPage(from: string, to: string): string
  toFile(from: string, file: string): string
  font(from: string): string
  /** In the head of every page. */
  head(style: string, script?: string): string
}

export type Site = { library: Library; places: Places; version: string }

type PageParts = {
  path: string
  title: string
  description: string
  body: string
  style?: string
  script?: string
}

export function renderPage(site: Site, parts: PageParts): string {
  const { path, title, description, body, script } = parts
  const { places } = site
  const style = parts.style ?? guideStyle(places.font(path))
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${places.head(style, script)}<title>${escapeHtml(title)} · Upvane</title>
<meta name="description" content="${escapeHtml(description)}">
<meta name="color-scheme" content="light dark">
<style>${style}</style>
</head>
<body id="top">
<a class="skip" href="#main">Skip to the text</a>
${renderHeader(site, path)}
<div class="frame">
${renderNavigation(site, path)}
<main id="main">
${body}
</main>
</div>${script === undefined ? '' : `\n<script type="module">${script}</script>`}
</body>
</html>
`
}

function renderHeader({ places, version }: Site, path: string): string {
  const way = (to: string, text: string) =>
    `<a href="${places.toPage(path, to)}"${to === path ? ' aria-current="page"' : ''}>${text}</a>`
  return `<header class="top">
<a class="brand" href="${places.toPage(path, HOME)}">${WORDMARK}<span>Documentation</span></a>
<span class="version">${escapeHtml(version)}</span>
<div class="ways">${way(HOME, 'Guides')}${way(REFERENCE, 'API')}${way(SEARCH, 'Search')}</div>
<a class="menu" href="#contents">Contents</a>
</header>`
}

function renderNavigation({ library, places }: Site, path: string): string {
  const isInside = (page: PageEntry) => path === page.path || path.startsWith(`${page.path}/0`)
  const item = (page: PageEntry) => {
    const isHere = page.path === path
    const sections = isHere ? renderSections(library, page) : ''
    return `<li><a href="${places.toPage(path, page.path)}"${isHere ? ' aria-current="page"' : ''}>${escapeHtml(page.title)}</a>${sections}</li>`
  }
  const isAnywhere = library.groups.some(({ pages }) => pages.some(isInside))
  const groups = library.groups.map(({ title, pages }) => {
    const isOpen = !isAnywhere || pages.some(isInside)
    return `<details${isOpen ? ' open' : ''}><summary>${escapeHtml(title)}</summary><ul>${pages.map(item).join('')}</ul></details>`
  })
  return `<nav id="contents" aria-label="Contents">
<a class="close" href="#main">Close</a>
${groups.join('\n')}
</nav>`
}

function renderSections(library: Library, { file }: PageEntry): string {
  if (file === undefined) return ''
  const sections = sectionsOf(library.read(file).toString()).filter(({ level }) => level === 2)
  if (sections.length === 0) return ''
  const items = sections.map(
    ({ title, id }) => `<li><a href="#${id}">${escapeHtml(title)}</a></li>`,
  )
  return `<ul>${items.join('')}</ul>`
}
