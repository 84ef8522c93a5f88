// The top of the page: the overall state, and what is known about it.
import type { StatusIncidentStatus } from '../../domain/status-pages/status-incident.ts'
import { type Html, html, join, raw } from '../../render/html.ts'
import {
  allComponents,
  openIncidents,
  type PageIncident,
  type PageSnapshot,
  type PageWindow,
} from '../snapshot/snapshot.ts'
import { isBad, stateOfIncident, toneOf, worse } from '../snapshot/tone.ts'
import { mark } from './drawings.ts'
import type { View } from './layout.ts'
import { renderMarkdown } from './markdown.ts'
import { spanTag, timeTag } from './time-tag.ts'

const DOT = raw(' · ')
const DAY_MS = 86_400_000
// Placeholder for the time, whose position in the sentence depends on the language.
const PLACE = '\u0001'

/** Open incidents, worst first, then newest first. */
export function incidentsByWeight(snapshot: PageSnapshot): PageIncident[] {
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
  const [incident, ...others] = incidentsByWeight(view.snapshot)
  const window = windowInHero(view.snapshot)
  if (incident !== undefined)
    return html`${renderIncident(view, incident, 'h1')}${others.map((other) => renderIncident(view, other, 'h2'))}`
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

/** One sentence; also used as the page's description elsewhere. */
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
    return html`<b>${messages.outOf(good, components.length)}</b> ${messages.workAsTheyShould(components.length)}${told}`
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

function renderIncident(view: View, incident: PageIncident, heading: 'h1' | 'h2'): Html {
  const { snapshot, format, links } = view
  const { messages } = format
  const own = stateOfIncident(incident)
  // The first incident represents the whole page.
  const state = heading === 'h1' && isBad(snapshot.state) ? snapshot.state : own
  const word =
    heading === 'h1' && isBad(snapshot.state)
      ? messages.states[snapshot.state]
      : messages.impacts[incident.impact]
  const components = allComponents(snapshot)
  const affected =
    components.filter((component) => isBad(component.state)).length || incident.components.length
  const facts = [
    html`<b>${word}</b>`,
    ...(affected > 0 && heading === 'h1' ? [messages.affectedOf(affected, components.length)] : []),
    renderSince(incident.startedAt, snapshot.asOf, format),
  ]
  const latest = incident.updates.find(({ message }) => message !== '')
  const body = html`<div class="hero-body">${renderPhases(view, incident)}${latest && html`<div class="text" dir="auto">${renderMarkdown(latest.message)}</div>`}<div class="hero-foot"><span>${affectedNames(view, incident.components)}</span><a class="go" href="${links.incident(incident.id)}">${messages.followIncident}</a></div></div>`
  const title = raw(heading)
  const top = html`<${title} dir="auto">${incident.title}</${title}><p>${join(facts, DOT)}</p>`
  return frame(state, top, { body, isStatus: heading === 'h1' })
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
  const body = html`<div class="hero-body">${window.description !== null && html`<p class="text" dir="auto">${window.description}</p>`}<div class="hero-foot"><span>${spanTag(window.startsAt, window.endsAt, span)}</span><a class="go" href="${links.window(window.id)}">${messages.followMaintenance}</a></div></div>`
  const top = html`<h1 dir="auto">${window.name}</h1><p>${join(facts, DOT)}</p>`
  return frame('MAINTENANCE', top, { body })
}

function frame(
  state: PageSnapshot['state'],
  top: Html,
  { body, isStatus = true }: { body?: Html; isStatus?: boolean } = {},
): Html {
  const role = isStatus ? raw(' role="status"') : ''
  const more = isStatus ? '' : ' more'
  return html`<section class="hero is-${toneOf(state)}${more}"${role}><div class="hero-top">${mark(state, 'xl')}<div>${top}</div></div>${body}</section>
`
}

function affectedNames({ format }: View, components: readonly { name: string }[]): Html {
  if (components.length === 0) return html``
  const names = components.map(({ name }) => html`<bdi>${name}</bdi>`)
  return html`${format.messages.affected}: ${join(names, raw(format.messages.listGap))}`
}

const PHASES: readonly StatusIncidentStatus[] = [
  'INVESTIGATING',
  'IDENTIFIED',
  'MONITORING',
  'RESOLVED',
]

/** The four phases, each with the time it was first reached. */
export function renderPhases({ format }: View, incident: PageIncident): Html {
  const now = PHASES.indexOf(incident.status)
  const items = PHASES.map((phase, index) => {
    const reached = incident.updates.findLast(({ status }) => status === phase)
    const isNow = index === now && incident.status !== 'RESOLVED'
    const name = isNow ? 'now' : index <= now ? 'done' : ''
    const time =
      reached !== undefined &&
      index <= now &&
      timeTag(reached.createdAt, format.time(reached.createdAt), 't')
    return html`<li${name !== '' && html` class="${name}"`}${isNow && raw(' aria-current="step"')}><span>${format.messages.phases[phase]}${time}</span></li>`
  })
  return html`<ol class="phases">${items}</ol>`
}
