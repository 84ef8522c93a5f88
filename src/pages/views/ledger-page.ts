// The page's ledger: when outages were detected and published, and what was removed from the page meanwhile.
import type { LedgerEntry } from '../../domain/status-pages/ledger.ts'
import { type Html, html } from '../../render/html.ts'
import type { PageLedger } from '../snapshot/snapshot.ts'
import { renderDocument, type View } from './layout.ts'
import { timeTag } from './time-tag.ts'

export function renderLedgerPage(view: View, { since, entries }: PageLedger): Html {
  const { snapshot, format } = view
  const { ledger } = format.messages
  const start = timeTag(since, format.dayAndTime(since, snapshot.asOf), 'd')
  const main = html`<main class="pub near" id="main"><section aria-labelledby="ledger"><div class="inc-head"><h1 id="ledger">${ledger.title}</h1>
<p class="muted">${ledger.about} ${ledger.since} ${start}</p></div>
${entries.length === 0 ? html`<div class="days"><p class="muted">${ledger.none}</p></div>` : html`<div class="days">${entries.map((entry) => renderEntry(view, entry))}</div>`}</section></main>`
  return renderDocument(view, {
    title: `${ledger.title} – ${format.messages.title(snapshot.page.name)}`,
    summary: ledger.about,
    path: '/ledger',
    current: 'LEDGER',
    main,
  })
}

function renderEntry(view: View, entry: LedgerEntry): Html {
  const { format, snapshot } = view
  const at = timeTag(entry.at, format.dayAndTime(entry.at, snapshot.asOf), 'd')
  return html`<div class="day"><h2>${at}</h2><div><ul class="measured">${linesOf(view, entry).map((line) => html`<li><span>${line}</span></li>`)}</ul></div></div>
`
}

function linesOf({ format, snapshot }: View, entry: LedgerEntry): Html[] {
  const { ledger } = format.messages
  const name = html`<bdi>${entry.componentName}</bdi>`
  if (entry.kind !== 'OUTAGE') return [html`${name}: ${ledger.overrides[entry.kind]}`]
  const { publishedAfterMs, publishedAt, endedAt, isCutShort } = entry
  const time = (at: Date) => timeTag(at, format.dayAndTime(at, snapshot.asOf), 'd')
  const wasPublished =
    publishedAt === null || publishedAfterMs === null
      ? html`${ledger.notPublished}`
      : html`${ledger.published} ${time(publishedAt)} (${ledger.after(format.duration(publishedAfterMs))})`
  const ended = endedAt === null ? html`${ledger.ongoing}` : html`${ledger.ended} ${time(endedAt)}`
  return [
    html`${name}: ${ledger.detected}`,
    wasPublished,
    ended,
    ...(isCutShort ? [html`${ledger.cutShort}`] : []),
  ]
}
