// The page of one published incident: its phases, its details, and every update.
import type { StatusIncidentStatus } from '../../domain/status-pages/status-incident.ts'
import { type Html, html, join, raw } from '../../render/html.ts'
import type { PageAffectedComponent, PageIncident, Update } from '../snapshot/snapshot.ts'
import { stateOfIncident, toneOf } from '../snapshot/tone.ts'
import { type Icon, icon, mark } from './drawings.ts'
import { renderPhases, severityWord } from './hero.ts'
import { renderDocument, type View } from './layout.ts'
import { renderMarkdown, toPlainText } from './markdown.ts'
import { renderNextUpdate } from './next-update.ts'
import { renderEmailForm } from './subscribe-menu.ts'
import { timeTag } from './time-tag.ts'

const ICONS: Readonly<Record<StatusIncidentStatus, Icon>> = {
  INVESTIGATING: 'siren',
  IDENTIFIED: 'search',
  MONITORING: 'eye',
  RESOLVED: 'check',
}
const SUMMARY = 200
// More would make the document heavy and help no one.
const MAX_UPDATES = 100
const MAX_CHARACTERS = 100_000
// Placeholder for the time, whose position in the sentence depends on the language.
const PLACE = '\u0001'

export function renderIncidentPage(view: View, incident: PageIncident): Html {
  const { format, snapshot, links } = view
  const { messages } = format
  const isOver = incident.resolvedAt !== null
  const severity = severityWord(messages, stateOfIncident(incident))
  const state = isOver ? 'OPERATIONAL' : stateOfIncident(incident)
  const tone = `is-${toneOf(state)}`
  const main = html`<main class="pub near" id="main">
<div class="inc-head ${tone}"><a class="back" href="${links.home}">${icon('left')}${messages.currentStatus}</a>
<h1 dir="auto">${incident.title}</h1>
<div class="meta"><span class="badge ${tone}">${mark(state)}${isOver ? messages.phases.RESOLVED : severity}</span><span>${isOver ? severity : messages.ongoingFor(lasted(view, incident))}</span></div></div>
<section class="card ${tone}" aria-label="${messages.phases[incident.status]}"><div class="inc-phases">${renderPhases(view, incident)}${renderNextUpdate(view, incident)}</div>${renderFacts(view, incident)}</section>
${renderPostMortem(view, incident)}${renderUpdates(view, incident, tone)}
${snapshot.page.canSubscribe && !isOver && html`<section class="notice" aria-label="${messages.subscribe}"><p>${messages.getUpdates}</p>${renderEmailForm(snapshot.page.locale, links)}</section>`}
</main>`
  const latest = incident.updates.find(({ message }) => message !== '')
  return renderDocument(view, {
    title: `${incident.title} – ${messages.title(snapshot.page.name)}`,
    summary: latest === undefined ? incident.title : toPlainText(latest.message, SUMMARY),
    path: `/incidents/${incident.id}`,
    main,
  })
}

function lasted({ format, snapshot }: View, { startedAt, resolvedAt }: PageIncident): string {
  if (resolvedAt !== null) return format.duration(resolvedAt.getTime() - startedAt.getTime())
  return format.running(snapshot.asOf.getTime() - startedAt.getTime())
}

function renderFacts(view: View, incident: PageIncident): Html {
  const { format, snapshot } = view
  const { messages } = format
  const { startedAt, resolvedAt, components } = incident
  const started = timeTag(startedAt, format.dayAndTime(startedAt, snapshot.asOf), 'd')
  const length = lasted(view, incident)
  const names = components.map(({ name }) => html`<bdi>${name}</bdi>`)
  return html`<dl class="inc-facts"><div><dt>${messages.started}</dt><dd>${started}</dd></div><div><dt>${messages.duration}</dt><dd>${resolvedAt === null ? messages.soFar(length) : length}</dd></div>${names.length > 0 && html`<div><dt>${messages.affected}</dt><dd>${join(names, raw(messages.listGap))}</dd></div>`}</dl>`
}

/** Learned after the incident, so it comes before what was said during it. */
function renderPostMortem({ format, snapshot }: View, { postMortem }: PageIncident): Html {
  if (postMortem === null || postMortem.message === null) return html``
  const { messages } = format
  const { message, createdAt } = postMortem
  const time = timeTag(createdAt, format.dayAndTime(createdAt, snapshot.asOf), 'd')
  const [before, after] = messages.published(PLACE).split(PLACE)
  return html`<section class="card post-mortem" aria-labelledby="post-mortem"><h2 id="post-mortem">${messages.postMortem}<span>${before}${time}${after}</span></h2><div class="text" dir="auto">${renderMarkdown(message)}</div></section>
`
}

function renderUpdates(view: View, { updates }: PageIncident, tone: string): Html {
  const { messages } = view.format
  if (updates.length === 0) return html``
  const shown = upToLimit(updates)
  const items = shown.map((update, index) => renderUpdate(view, update, index === 0))
  const cut = shown.length < updates.length && html`<p class="muted">${messages.earlierLeftOut}</p>`
  return html`<section aria-labelledby="updates"><h2 id="updates">${messages.updates}</h2><ol class="updates ${tone}">
${items}</ol>${cut}</section>`
}

export function upToLimit(updates: readonly Update[]): Update[] {
  let characters = 0
  return updates.slice(0, MAX_UPDATES).filter(({ message }) => {
    characters += message.length
    return characters <= MAX_CHARACTERS
  })
}

function renderUpdate(view: View, update: Update, isLatest: boolean): Html {
  const { format, snapshot } = view
  const { status, message, createdAt, components } = update
  const time = timeTag(createdAt, formatPostedAt(view, createdAt), 'd')
  return html`<li${isLatest && raw(' class="latest"')}><span class="dot">${icon(ICONS[status])}</span><div><h3>${format.messages.phases[status]}<span>${time} · ${format.ago(createdAt, snapshot.asOf)}</span></h3>${message !== '' && html`<div class="text" dir="auto">${renderMarkdown(message)}</div>`}${renderChanges(view, components)}</div></li>
`
}

function formatPostedAt({ format, snapshot }: View, at: Date): string {
  const isToday =
    format.daysSince(at, snapshot.asOf) === format.daysSince(snapshot.asOf, snapshot.asOf)
  return isToday ? format.timeInZone(at) : format.dayAndTime(at, snapshot.asOf)
}

function renderChanges({ format }: View, components: readonly PageAffectedComponent[]): Html {
  if (components.length === 0) return html``
  const badges = components.map(
    ({ name, state }) =>
      html`<span class="badge is-${toneOf(state)}">${mark(state)}<span><bdi>${name}</bdi>: ${format.messages.states[state]}</span></span>`,
  )
  return html`<div class="changes">${badges}</div>`
}
