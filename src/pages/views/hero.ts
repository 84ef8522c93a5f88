// The top of the page: the overall state, and what is known about it.
import type { ComponentState } from '../../domain/status-pages/page-state.ts'
import type { StatusIncidentStatus } from '../../domain/status-pages/status-incident.ts'
import { type Html, html, join, raw } from '../../render/html.ts'
import type { PageMessages } from '../../render/messages/shape.ts'
import {
  allComponents,
  openIncidents,
  type PageIncident,
  type PageSnapshot,
  type PageWindow,
} from '../snapshot/snapshot.ts'
import { isBad, stateOfIncident, toneOf, worse } from '../snapshot/tone.ts'
import { mark } from './drawings.ts'
import { excerptOf } from './excerpt.ts'
import type { View } from './layout.ts'
import { renderMarkdown } from './markdown.ts'
import { renderNextUpdate } from './next-update.ts'
import { spanTag, timeTag } from './time-tag.ts'

const DOT = raw(' · ')
const DAY_MS = 86_400_000
// Placeholder for the time, whose position in the sentence depends on the language.
const PLACE = '\u0001'

/** Open incidents, worst first, then newest first. */
function incidentsByWeight(snapshot: PageSnapshot): PageIncident[] {
  return openIncidents(snapshot).toSorted((a, b) => {
    const [x, y] = [stateOfIncident(a), stateOfIncident(b)]
    return x === y ? 0 : worse(x, y) === x ? -1 : 1
  })
}

/** The active window that causes the page's state, if no incident is open. */
export function windowInHero(snapshot: PageSnapshot): PageWindow | undefined {
  if (snapshot.state !== 'MAINTENANCE' || openIncidents(snapshot).length > 0) return undefined
  return snapshot.windows.find(({ phase }) => phase === 'ACTIVE')
}

export function renderHero(view: View): Html {
  const open = incidentsByWeight(view.snapshot)
  const [incident] = open
  if (incident !== undefined)
    return open.length === 1 ? renderIncident(view, incident) : renderSeveral(view, open)
  const window = windowInHero(view.snapshot)
  return window === undefined ? renderState(view) : renderWindow(view, window)
}

function renderState(view: View): Html {
  const { snapshot, format } = view
  const { state } = snapshot
  const top = html`<h1 dir="auto">${headline(view)}</h1><p>${summary(view)}</p>`
  if (state !== 'UNKNOWN') return frame(state, top)
  return frame(
    state,
    html`<h1>${format.messages.unknown}</h1><p>${format.messages.unknownText}</p>`,
  )
}

/** What the page says in one line: its only open incident, or its overall state. */
export function oneLine(view: Pick<View, 'snapshot' | 'format'>): string {
  const { snapshot, format } = view
  const [incident, ...others] = incidentsByWeight(snapshot)
  if (incident === undefined) return headline(view)
  if (others.length === 0) return incident.title
  return isBad(snapshot.state) ? headline(view) : format.messages.openIncidents(others.length + 1)
}

/** The overall state in one sentence, without regard to what was published. */
export function headline({
  snapshot,
  format: { messages },
}: Pick<View, 'snapshot' | 'format'>): string {
  const bad = allComponents(snapshot).filter(({ state }) => isBad(state))
  const [only] = bad.length === 1 ? bad : []
  switch (snapshot.state) {
    case 'OPERATIONAL':
      return messages.allOperational
    case 'MAINTENANCE':
      return messages.maintenance
    case 'UNKNOWN':
      return messages.unknown
    case 'DEGRADED':
      return only === undefined ? messages.someDegraded : messages.oneDegraded(only.name)
    default:
      if (only !== undefined) return messages.oneDown(only.name)
      return snapshot.state === 'MAJOR_OUTAGE' ? messages.allDown : messages.someDown
  }
}

function summary({ snapshot, format }: View): Html {
  const { messages } = format
  const { state, asOf } = snapshot
  const components = allComponents(snapshot)
  if (state === 'OPERATIONAL') {
    const good = components.filter((component) => component.state === 'OPERATIONAL').length
    const last = snapshot.incidents[0]
    const told = last && ` ${messages.lastIncident(format.daysSince(last.startedAt, asOf))}`
    return html`${messages.operationalOf(good, components.length)}${told}`
  }
  const touched = components.filter(
    (component) => isBad(component.state) || component.state === state,
  )
  const since = touched.flatMap(({ changedAt }) => changedAt?.getTime() ?? [])
  return join(
    [
      html`<b>${messages.states[state]}</b>`,
      messages.affectedOf(touched.length, components.length),
      ...(since.length > 0 ? [renderSince(new Date(Math.min(...since)), asOf, format)] : []),
    ],
    DOT,
  )
}

function renderSince(at: Date, now: Date, format: View['format']): Html {
  const isRecent = now.getTime() - at.getTime() < DAY_MS
  const time = isRecent
    ? timeTag(at, format.timeInZone(at), 'z')
    : timeTag(at, format.dayAndTime(at, now), 'd')
  const duration = format.running(now.getTime() - at.getTime())
  const [before, after] = format.messages.since(PLACE, duration).split(PLACE)
  return html`${before}${time}${after}`
}

/** An incident is called like the state it means, by one scale on the whole page. */
export const severityWord = ({ states, noImpact }: PageMessages, state: ComponentState): string =>
  isBad(state) ? states[state] : noImpact

/** A single incident represents the whole page: by the word of its own page, and the worse color of both. */
function renderIncident(view: View, incident: PageIncident): Html {
  const { snapshot, format, links } = view
  const { messages } = format
  const own = stateOfIncident(incident)
  const isMeasured = isBad(snapshot.state)
  // An incident without impact does not call a bad page fine.
  const word = isMeasured && !isBad(own) ? snapshot.state : own
  const all = allComponents(snapshot).length
  const affected = countBad(snapshot) || incident.components.length
  const facts = [
    html`<b>${severityWord(messages, word)}</b>`,
    ...(affected > 0 ? [messages.affectedOf(affected, all)] : []),
    renderSince(incident.startedAt, snapshot.asOf, format),
  ]
  const latest = incident.updates.find(({ message }) => message !== '')
  const body = html`<div class="hero-body">${renderPhases(view, incident)}${latest && html`<div class="text" dir="auto">${renderMarkdown(latest.message)}</div>`}${renderNextUpdate(view, incident)}<div class="hero-foot"><span>${affectedNames(view, incident.components)}${alsoAffected(view, incident)}</span><a class="go" href="${links.incident(incident.id)}">${messages.viewIncident}</a></div></div>`
  const top = html`<h1 dir="auto">${incident.title}</h1><p>${join(facts, DOT)}</p>`
  return frame(isMeasured ? worse(snapshot.state, own) : own, top, body)
}

const countBad = (snapshot: PageSnapshot) =>
  allComponents(snapshot).filter(({ state }) => isBad(state)).length

/** One banner with the overall state, and a card for each incident. */
function renderSeveral(view: View, open: readonly PageIncident[]): Html {
  const { snapshot, format } = view
  const { messages } = format
  const isMeasured = isBad(snapshot.state)
  const worst = open.map((incident) => stateOfIncident(incident)).reduce((a, b) => worse(a, b))
  const state = isMeasured ? snapshot.state : worst
  const affected = countBad(snapshot)
  const facts = [
    html`<b>${severityWord(messages, state)}</b>`,
    ...(affected > 0 ? [messages.affectedOf(affected, allComponents(snapshot).length)] : []),
    ...(isMeasured ? [messages.openIncidents(open.length)] : []),
  ]
  const top = html`<h1 dir="auto">${oneLine(view)}</h1><p>${join(facts, DOT)}</p>`
  const cards = open.map((incident) => renderCard(view, incident))
  return html`${frame(state, top)}<div class="open-incidents">${cards}</div>`
}

function renderCard(view: View, incident: PageIncident): Html {
  const { snapshot, format, links } = view
  const state = stateOfIncident(incident)
  const names = incident.components.map(({ name }) => html`<bdi>${name}</bdi>`)
  const facts = [
    html`<b>${format.messages.phases[incident.status]}</b>`,
    renderSince(incident.startedAt, snapshot.asOf, format),
    ...(names.length > 0 ? [join(names, raw(format.messages.listGap))] : []),
  ]
  const text = excerptOf(incident)
  return html`<article class="open-incident is-${toneOf(state)}">${mark(state)}<div><h2 dir="auto"><a href="${links.incident(incident.id)}">${incident.title}</a></h2><p>${join(facts, DOT)}</p>${text !== '' && html`<p class="excerpt" dir="auto">${text}</p>`}${renderNextUpdate(view, incident)}</div></article>
`
}

function renderWindow(view: View, window: PageWindow): Html {
  const { snapshot, format, links } = view
  const { messages } = format
  const components = allComponents(snapshot)
  const left = window.endsAt.getTime() - snapshot.asOf.getTime()
  const facts = [
    html`<b>${messages.states.MAINTENANCE}</b>`,
    ...(window.components.length > 0
      ? [messages.affectedOf(window.components.length, components.length)]
      : []),
    messages.timeLeft(format.running(left)),
  ]
  const span = format.span(window.startsAt, window.endsAt, snapshot.asOf)
  const body = html`<div class="hero-body">${window.description !== null && html`<p class="text" dir="auto">${window.description}</p>`}<div class="hero-foot"><span>${spanTag(window.startsAt, window.endsAt, span)}</span><a class="go" href="${links.window(window.id)}">${messages.viewMaintenance}</a></div></div>`
  const top = html`<h1 dir="auto">${window.name}</h1><p>${join(facts, DOT)}</p>`
  return frame('MAINTENANCE', top, body)
}

function frame(state: PageSnapshot['state'], top: Html, body?: Html): Html {
  return html`<section class="hero is-${toneOf(state)}" role="status"><div class="hero-top">${mark(state, 'xl')}<div>${top}</div></div>${body}</section>
`
}

function affectedNames({ format }: View, components: readonly { name: string }[]): Html {
  if (components.length === 0) return html``
  const names = components.map(({ name }) => html`<bdi>${name}</bdi>`)
  return html`${format.messages.affected}: ${join(names, raw(format.messages.listGap))}`
}

const MOST_OTHERS = 5

/** Components that are not in order, but not part of the incident either: they count at the top of the page. */
function alsoAffected({ snapshot, format }: View, { components }: PageIncident): Html {
  const { messages } = format
  const own = new Set(components.map(({ id }) => id))
  const others = allComponents(snapshot).filter(({ id, state }) => isBad(state) && !own.has(id))
  if (others.length === 0) return html``
  const names = others
    .slice(0, MOST_OTHERS)
    .map(({ name, state }) => html`<bdi>${name}</bdi> (${messages.states[state]})`)
  const more =
    others.length > MOST_OTHERS ? `${messages.listGap}+${others.length - MOST_OTHERS}` : ''
  return html`<span class="also">${messages.alsoAffected}: ${join(names, raw(messages.listGap))}${more}</span>`
}

const PHASES: readonly StatusIncidentStatus[] = [
  'INVESTIGATING',
  'IDENTIFIED',
  'MONITORING',
  'RESOLVED',
]

/** The four phases, each with the time it was first reached. */
export function renderPhases({ format, snapshot }: View, incident: PageIncident): Html {
  const now = PHASES.indexOf(incident.status)
  const items = PHASES.map((phase, index) => {
    const reached = incident.updates.findLast(({ status }) => status === phase)
    const isNow = index === now && incident.status !== 'RESOLVED'
    const name = isNow ? 'now' : index <= now ? 'done' : ''
    const time =
      reached !== undefined &&
      index <= now &&
      timeTag(reached.createdAt, format.shortTime(reached.createdAt, snapshot.asOf), 'd')
    return html`<li${name !== '' && html` class="${name}"`}${isNow && raw(' aria-current="step"')}><span>${format.messages.phases[phase]}${time}</span></li>`
  })
  return html`<ol class="phases">${items}</ol>`
}
