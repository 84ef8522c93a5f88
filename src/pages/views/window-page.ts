// One maintenance window by itself.
import type { Window } from '../snapshot/snapshot.ts'
import { icon, mark } from './drawings.ts'
import { timeTag } from './format.ts'
import { html, join, type Markup, raw } from './html.ts'
import { renderDocument, type View } from './layout.ts'
import { toPlainText } from './markdown.ts'

const SUMMARY = 200

export function renderWindowPage(view: View, window: Window): Markup {
  const { format, snapshot, links } = view
  const { words } = format
  const { name, description, phase, startsAt, endsAt } = window
  const state = phase === 'PAST' ? 'OPERATIONAL' : 'MAINTENANCE'
  const tone = phase === 'PAST' ? 'is-up' : 'is-maint'
  const word = {
    UPCOMING: words.scheduledMaintenance,
    ACTIVE: words.maintenance,
    PAST: words.completed,
  }[phase]
  const left = endsAt.getTime() - snapshot.asOf.getTime()
  const main = html`<main class="pub near" id="main">
<div class="inc-head ${tone}"><a class="back" href="${links.home}">${icon('left')}${words.currentStatus}</a>
<h1 dir="auto">${name}</h1>
<div class="meta"><span class="badge ${tone}">${mark(state)}${word}</span>${phase === 'ACTIVE' && html`<span>${words.timeLeft(format.running(left))}</span>`}</div></div>
<section class="card" aria-label="${words.maintenance}">${renderFacts(view, window)}</section>
${description !== null && html`<p class="text" dir="auto">${description}</p>`}
</main>`
  return renderDocument(view, {
    title: `${name} – ${words.title(snapshot.page.name)}`,
    summary: `${format.span(startsAt, endsAt, snapshot.asOf)}. ${toPlainText(description ?? '', SUMMARY)}`,
    path: `/maintenance/${window.id}`,
    main,
  })
}

function renderFacts({ format, snapshot }: View, window: Window): Markup {
  const { words } = format
  const { startsAt, endsAt, components } = window
  const time = (at: Date) => timeTag(at, format.dayAndTime(at, snapshot.asOf), 'd')
  const names = components.map((component) => html`<bdi>${component.name}</bdi>`)
  return html`<dl class="inc-facts"><div><dt>${words.starts}</dt><dd>${time(startsAt)}</dd></div><div><dt>${words.ends}</dt><dd>${time(endsAt)}</dd></div>${names.length > 0 && html`<div><dt>${words.affected}</dt><dd>${join(names, raw(words.listGap))}</dd></div>`}</dl>`
}
