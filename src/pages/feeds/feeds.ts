// RSS 2.0 and Atom: one entry per incident and per maintenance window, updated when they change.

import { type Html, html } from '../../render/html.ts'
import type { PageIncident, PageWindow } from '../snapshot/snapshot.ts'
import type { View } from '../views/layout.ts'
import { renderPhasesText } from './feed-text.ts'

const ENTRIES = 50

type Entry = {
  id: string
  title: string
  url: string
  publishedAt: Date
  updatedAt: Date
  content: Html
}

export function renderRss(view: View): Html {
  const { page, asOf } = view.snapshot
  const entries = entriesOf(view)
  const items = entries.map(
    ({ id, title, url, publishedAt, content }) => html`<item>
<title>${title}</title>
<link>${url}</link>
<guid isPermaLink="false">${id}</guid>
<pubDate>${rfc822(publishedAt)}</pubDate>
<description>${content.text}</description>
</item>
`,
  )
  return html`<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">
<channel>
<title>${titleOf(view)}</title>
<link>${page.url}</link>
<description>${page.description ?? titleOf(view)}</description>
<language>${page.locale}</language>
<lastBuildDate>${rfc822(newest(entries, page.updatedAt))}</lastBuildDate>
<pubDate>${rfc822(asOf)}</pubDate>
<ttl>5</ttl>
<atom:link href="${page.url}/feed.rss" rel="self" type="application/rss+xml"/>
${items}</channel>
</rss>
`
}

export function renderAtom(view: View): Html {
  const { page } = view.snapshot
  const entries = entriesOf(view)
  const items = entries.map(
    ({ id, title, url, publishedAt, updatedAt, content }) => html`<entry>
<id>${id}</id>
<title>${title}</title>
<link rel="alternate" type="text/html" href="${url}"/>
<published>${publishedAt.toISOString()}</published>
<updated>${updatedAt.toISOString()}</updated>
<content type="html">${content.text}</content>
</entry>
`,
  )
  return html`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${page.locale}">
<id>urn:upvane:${page.id}</id>
<title>${titleOf(view)}</title>
<updated>${newest(entries, page.updatedAt).toISOString()}</updated>
<author><name>${page.name}</name></author>
<link rel="self" type="application/atom+xml" href="${page.url}/feed.atom"/>
<link rel="alternate" type="text/html" href="${page.url}"/>
${items}</feed>
`
}

const titleOf = ({ snapshot, format }: View) => format.messages.title(snapshot.page.name)

function entriesOf(view: View): Entry[] {
  const { incidents, windows } = view.snapshot
  return [
    ...incidents.map((incident) => incidentEntry(view, incident)),
    ...windows.map((window) => windowEntry(view, window)),
  ]
    .toSorted((a, b) => b.publishedAt.getTime() - a.publishedAt.getTime())
    .slice(0, ENTRIES)
}

function incidentEntry(view: View, incident: PageIncident): Entry {
  const { page } = view.snapshot
  const postedAt = incident.updates[0]?.createdAt ?? incident.createdAt
  return {
    id: `urn:upvane:${incident.id}`,
    title: `${view.format.messages.phases[incident.status]}: ${incident.title}`,
    url: `${page.url}/incidents/${incident.id}`,
    publishedAt: incident.createdAt,
    updatedAt: later(
      later(postedAt, incident.updatedAt),
      incident.postMortem?.createdAt ?? incident.createdAt,
    ),
    content: renderPhasesText(view, incident),
  }
}

function windowEntry({ snapshot, format }: View, window: PageWindow): Entry {
  const { startsAt, endsAt, description } = window
  const span = format.span(startsAt, endsAt, snapshot.asOf)
  const names = window.components.map(({ name }) => name).join(format.messages.listGap)
  const title = {
    UPCOMING: format.messages.scheduled(window.name),
    ACTIVE: format.messages.underWay(window.name),
    PAST: `${format.messages.completed}: ${window.name}`,
  }[window.phase]
  return {
    // Each occurrence of a recurring window is a new entry.
    id: `urn:upvane:${window.id}:${startsAt.toISOString()}`,
    title,
    url: `${snapshot.page.url}/maintenance/${window.id}`,
    publishedAt: window.createdAt,
    updatedAt: window.updatedAt,
    content: html`<p>${span}</p>${description !== null && html`<p>${description}</p>`}${names !== '' && html`<p>${format.messages.affected}: ${names}</p>`}`,
  }
}

function newest(entries: readonly Entry[], fallback: Date): Date {
  return entries.reduce((latest, { updatedAt }) => later(latest, updatedAt), fallback)
}

const later = (a: Date, b: Date) => (a > b ? a : b)

/** `Sat, 14 Nov 2026 13:31:05 GMT` */
const rfc822 = (at: Date) => at.toUTCString()
