// Pages that list others: the start, the search and the decisions; and the list for assistants.
import { sectionsOf } from '../../render/guide-blocks.ts'
import { escapeHtml } from '../../render/html.ts'
import { DECISIONS, HOME, type PageEntry, SEARCH } from './contents.ts'
import { renderPage, type Site } from './page.ts'
import { searchStyle } from './style.ts'

const WHAT_IT_IS =
  'Upvane is self-hosted uptime monitoring: it checks websites, APIs, ports, DNS, certificates, domains and scheduled jobs, alerts the right people and publishes status pages.'

export function renderHome(site: Site): string {
  const { library, places } = site
  const body = `<h1>Documentation</h1>
<p>${WHAT_IT_IS}</p>
<a class="find" href="${places.toPage(HOME, SEARCH)}">Search guides and API reference</a>
${library.groups.map(({ title, pages }) => `<h2>${escapeHtml(title)}</h2>${renderList(site, HOME, pages)}`).join('\n')}`
  return renderPage(site, { path: HOME, title: 'Documentation', description: WHAT_IT_IS, body })
}

export function renderDecisions(site: Site): string {
  const { library } = site
  const body = `<p class="group">About Upvane</p><h1>Decisions</h1>
<p>What would be costly to reverse: what was decided and why, what else was considered, and what it costs.</p>
${renderList(site, DECISIONS, library.decisions)}`
  const description = 'What was decided about Upvane, and why.'
  return renderPage(site, { path: DECISIONS, title: 'Decisions', description, body })
}

function renderList({ places }: Site, from: string, pages: readonly PageEntry[]): string {
  const items = pages.map(({ path, title, summary }) => {
    const link = `<a href="${places.toPage(from, path)}">${escapeHtml(title)}</a>`
    return `<li>${link}${summary === '' ? '' : `<p>${escapeHtml(summary)}</p>`}</li>`
  })
  return `<ul class="list">${items.join('')}</ul>`
}

/** Without scripts it is an index of every page with its sections. `index` is JSON. */
export function renderSearch(site: Site, index: string, script: string): string {
  const { library, places } = site
  const groups = library.groups.map(
    ({ title, pages }) =>
      `<h2>${escapeHtml(title)}</h2><ul class="list">${pages.map((page) => renderIndexEntry(site, page)).join('')}</ul>`,
  )
  const body = `<h1>Search</h1>
<input class="search" id="query" type="search" aria-label="Search guides and API reference" placeholder="Search guides and API reference" maxlength="200" autocomplete="off" autofocus hidden>
<p id="count" role="status"></p>
<ol class="list results" id="results" hidden></ol>
<div id="all"><noscript><p>Without scripts, this is the index of all pages and their sections. Your browser can search in it.</p></noscript>
${groups.join('\n')}</div>
<script type="application/json" id="index">${index.replaceAll('<', '\\u003c')}</script>`
  const style = searchStyle(places.font(SEARCH))
  const description = 'Search all guides and the API reference.'
  return renderPage(site, { path: SEARCH, title: 'Search', description, body, style, script })
}

function renderIndexEntry({ library, places }: Site, { path, title, file }: PageEntry): string {
  const to = places.toPage(SEARCH, path)
  const sections = file === undefined ? [] : sectionsOf(library.read(file).toString())
  const links = sections
    .filter(({ level }) => level === 2)
    .map((one) => `<a href="${to}#${one.id}">${escapeHtml(one.title)}</a>`)
  return `<li><a href="${to}">${escapeHtml(title)}</a>${links.length === 0 ? '' : `<p>${links.join(' · ')}</p>`}</li>`
}

/** As llmstxt.org describes it: every page with its address and what it is for. Documents as Markdown. */
export function renderLlms({ library, version }: Site, urlOf: (page: PageEntry) => string): string {
  const line = (page: PageEntry) =>
    `- [${page.title}](${urlOf(page)})${page.summary === '' ? '' : `: ${page.summary}`}`
  const groups = [...library.groups, { title: 'Decisions', pages: library.decisions }]
  const sections = groups.map(
    ({ title, pages }) => `## ${title}\n\n${pages.map(line).join('\n')}\n`,
  )
  return `# Upvane ${version}\n\n> ${WHAT_IT_IS}\n\n${sections.join('\n')}`
}
