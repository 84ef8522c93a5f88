// The frame around every document: head, header, footer.

import { type Html, html, raw } from '../../render/html.ts'
import { type Format, formatOf } from '../../render/page-format.ts'
import type { PageSnapshot, ShownPage } from '../snapshot/snapshot.ts'
import { assetName, type Style, styleFor } from './assets.ts'
import { definitions, letterTile, UPVANE_MARK } from './drawings.ts'
import type { Links } from './links.ts'
import { renderSubscribeMenu } from './subscribe-menu.ts'
import { timeTag } from './time-tag.ts'

/** The input of every renderer. */
export type View = { snapshot: PageSnapshot; format: Format; links: Links; style: Style }

export function viewOf(snapshot: PageSnapshot, links: Links): View {
  const { locale, timezone, accentColor } = snapshot.page
  return {
    snapshot,
    links,
    format: formatOf(locale, timezone),
    style: styleFor(links.assets, accentColor),
  }
}

type DocumentContent = {
  title: string
  /** For search engines and link previews. */
  summary: string
  /** Path below the page's URL, such as `/history`. */
  path: string
  current?: 'STATUS' | 'HISTORY' | 'LEDGER' | 'SUBSCRIBE'
  /** Its content depends on more than its URL, so the script must not load it again. */
  isStill?: true
  main: Html
}

export function renderDocument(view: View, content: DocumentContent): Html {
  const { snapshot, format, links, style } = view
  const { page } = snapshot
  const body = html`<a class="sr skip" href="#main">${format.messages.skip}</a>
${renderHeader(view, content.current)}
${content.main}
${renderFooter(view, content.isStill)}`
  return html`<!doctype html>
<html lang="${page.locale}" data-zone="${page.timezone}"${themeOf(page)}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${content.title}</title>
<meta name="description" content="${content.summary}">
${!page.allowIndexing && raw('<meta name="robots" content="noindex">\n')}<link rel="canonical" href="${page.url}${content.path}">
<link rel="icon" href="${httpsUrl(page.faviconUrl) ?? `${links.assets}/${assetName('favicon.svg')}`}">
<link rel="alternate" type="application/atom+xml" title="${format.messages.title(page.name)}" href="${links.file('feed.atom')}">
<link rel="alternate" type="application/rss+xml" title="${format.messages.title(page.name)}" href="${links.file('feed.rss')}">
<meta property="og:title" content="${content.title}">
<meta property="og:description" content="${content.summary}">
<style>${raw(style.text)}</style>
${!content.isStill && html`<script src="${links.assets}/${assetName('page.js')}" defer></script>\n`}</head>
<body>
${definitions(body)}
${body}
</body>
</html>
`
}

export function themeOf({ theme }: Pick<ShownPage, 'theme'>): Html | false {
  return theme !== 'SYSTEM' && html` data-theme="${theme.toLowerCase()}"`
}

function renderHeader(
  { snapshot, format, links }: View,
  current: DocumentContent['current'],
): Html {
  const { page } = snapshot
  const { messages } = format
  const here = (section: DocumentContent['current']) =>
    current === section && raw(' aria-current="page"')
  const logo = httpsUrl(page.logoUrl)
  const brand =
    logo === undefined
      ? html`${letterTile(page.name)}<bdi>${page.name}</bdi>`
      : html`<img src="${logo}" alt="${page.name}" height="28" referrerpolicy="no-referrer">`
  return html`<header class="head pub">
<a class="brand" href="${httpUrl(page.homepageUrl) ?? links.home}">${brand}</a>
<nav class="nav" aria-label="${messages.pages}"><a href="${links.home}"${here('STATUS')}>${messages.status}</a><a href="${links.history}"${here('HISTORY')}>${messages.history}</a>${snapshot.ledger !== undefined && html`<a href="${links.ledger}"${here('LEDGER')}>${messages.ledger.title}</a>`}</nav>
${current !== 'SUBSCRIBE' && renderSubscribeMenu(page, links)}
</header>`
}

function renderFooter({ snapshot, format, links }: View, isStill?: true): Html {
  const { page, asOf } = snapshot
  const { messages } = format
  const support = httpUrl(page.supportUrl)
  return html`<footer class="foot pub">
<ul><li><a href="${links.file('feed.rss')}">RSS</a></li><li><a href="${links.file('feed.atom')}">Atom</a></li><li><a href="${links.file('status.json')}">JSON</a></li>${support !== undefined && html`<li><a href="${support}">${messages.support}</a></li>`}</ul>
${!isStill && html`<span>${messages.updated} ${timeTag(asOf, format.exactTime(asOf), 's')}</span>\n`}<span class="powered">${messages.statusPageBy} ${UPVANE_MARK} Upvane</span>
</footer>`
}

/** Images load over https only: plain http would reveal to the network who reads which page. */
export function httpsUrl(url: string | null): string | undefined {
  return url !== null && URL.parse(url)?.protocol === 'https:' ? url : undefined
}

function httpUrl(url: string | null): string | undefined {
  const protocol = url === null ? undefined : URL.parse(url)?.protocol
  return protocol === 'https:' || protocol === 'http:' ? (url ?? undefined) : undefined
}
