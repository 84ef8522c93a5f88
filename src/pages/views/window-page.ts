// The page of one maintenance window.

import { type Html, html, join, raw } from '../../render/html.ts'
import type { PageWindow } from '../snapshot/snapshot.ts'
import { icon, mark } from './drawings.ts'
import { renderDocument, type View } from './layout.ts'
import { toPlainText } from './markdown.ts'
import { timeTag } from './time-tag.ts'

const SUMMARY = 200

export function renderWindowPage(view: View, window: PageWindow): Html {
  const { format, snapshot, links } = view
  const { messages } = format
  const { name, description, phase, startsAt, endsAt } = window
  const state = phase === 'PAST' ? 'OPERATIONAL' : 'MAINTENANCE'
  const tone = phase === 'PAST' ? 'is-up' : 'is-maint'
  const word = {
    UPCOMING: messages.scheduledMaintenance,
    ACTIVE: messages.maintenance,
    PAST: messages.completed,
  }[phase]
  const left = endsAt.getTime() - snapshot.asOf.getTime()
  const main = html`<main class="pub near" id="main">
<div class="inc-head ${tone}"><a class="back" href="${links.home}">${icon('left')}${messages.currentStatus}</a>
<h1 dir="auto">${name}</h1>
<div class="meta"><span class="badge ${tone}">${mark(state)}${word}</span>${phase === 'ACTIVE' && html`<span>${messages.timeLeft(format.running(left))}</span>`}</div></div>
<section class="card" aria-label="${messages.maintenance}">${renderFacts(view, window)}</section>
${description !== null && html`<p class="text" dir="auto">${description}</p>`}
</main>`
  return renderDocument(view, {
    title: `${name} – ${messages.title(snapshot.page.name)}`,
    summary: `${format.span(startsAt, endsAt, snapshot.asOf)}. ${toPlainText(description ?? '', SUMMARY)}`,
    path: `/maintenance/${window.id}`,
    main,
  })
}

function renderFacts({ format, snapshot }: View, window: PageWindow): Html {
  const { messages } = format
  const { startsAt, endsAt, components } = window
  const time = (at: Date) => timeTag(at, format.dayAndTime(at, snapshot.asOf), 'd')
  const names = components.map((component) => html`<bdi>${component.name}</bdi>`)
  return html`<dl class="inc-facts"><div><dt>${messages.starts}</dt><dd>${time(startsAt)}</dd></div><div><dt>${messages.ends}</dt><dd>${time(endsAt)}</dd></div>${names.length > 0 && html`<div><dt>${messages.affected}</dt><dd>${join(names, raw(messages.listGap))}</dd></div>`}</dl>`
}
