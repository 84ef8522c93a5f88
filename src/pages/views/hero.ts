// The sentence everyone came for: the state of the whole, and what is known about it.
import type { StatusIncidentStatus } from '../../domain/status-pages/status-incident.ts'
import {
  allComponents,
  type Incident,
  openIncidents,
  type PageSnapshot,
  type Window,
} from '../snapshot/snapshot.ts'
import { isBad, stateOfIncident, toneOf, worse } from '../snapshot/tone.ts'
import { mark } from './drawings.ts'
import { spanTag, timeTag } from './format.ts'
import { html, join, type Markup, raw } from './html.ts'
import type { View } from './layout.ts'
import { renderMarkdown } from './markdown.ts'

const DOT = raw(' · ')
const DAY_MS = 86_400_000
// Stands for the time in a sentence, until it is known where the sentence puts it.
const PLACE = '\u0001'

/** Open incidents, the worst first, then the newest. */
export function incidentsByWeight(snapshot: PageSnapshot): Incident[] {
  return openIncidents(snapshot).toSorted((a, b) => {
    const [x, y] = [stateOfIncident(a), stateOfIncident(b)]
    return x === y ? 0 : worse(x, y) === x ? -1 : 1
  })
}

/** The window under way that the page's state comes from, when no incident is open. */
export function windowInHero(snapshot: PageSnapshot): Window | undefined {
  if (snapshot.state !== 'MAINTENANCE' || openIncidents(snapshot).length > 0) return undefined
  return snapshot.windows.find(({ phase }) => phase === 'ACTIVE')
}

export function renderHero(view: View): Markup {
  const [incident, ...others] = incidentsByWeight(view.snapshot)
  const window = windowInHero(view.snapshot)
  if (incident !== undefined)
    return html`${renderIncident(view, incident, 'h1')}${others.map((other) => renderIncident(view, other, 'h2'))}`
  return window === undefined ? renderState(view) : renderWindow(view, window)
}

function renderState(view: View): Markup {
  const { snapshot, format } = view
  const { state } = snapshot
  const top = html`<h1 dir="auto">${headline(view)}</h1><p>${summary(view)}</p>`
  if (state !== 'UNKNOWN') return frame(state, top)
  return frame(state, html`<h1>${format.words.unknown}</h1><p>${format.words.unknownText}</p>`)
}

/** One sentence; also the description of the page elsewhere. */
export function headline({
  snapshot,
  format: { words },
}: Pick<View, 'snapshot' | 'format'>): string {
  const bad = allComponents(snapshot).filter(({ state }) => isBad(state))
  const [only] = bad.length === 1 ? bad : []
  switch (snapshot.state) {
    case 'OPERATIONAL':
      return words.allOperational
    case 'MAINTENANCE':
      return words.maintenance
    case 'UNKNOWN':
      return words.unknown
    case 'DEGRADED':
      return only === undefined ? words.someDegraded : words.oneDegraded(only.name)
    default:
      if (only !== undefined) return words.oneDown(only.name)
      return snapshot.state === 'MAJOR_OUTAGE' ? words.allDown : words.someDown
  }
}

function summary({ snapshot, format }: View): Markup {
  const { words } = format
  const { state, asOf } = snapshot
  const components = allComponents(snapshot)
  if (state === 'OPERATIONAL') {
    const good = components.filter((component) => component.state === 'OPERATIONAL').length
    const last = snapshot.incidents[0]
    const told = last && ` ${words.lastIncident(format.daysSince(last.startedAt, asOf))}`
    return html`<b>${words.outOf(good, components.length)}</b> ${words.workAsTheyShould(components.length)}${told}`
  }
  const touched = components.filter(
    (component) => isBad(component.state) || component.state === state,
  )
  const since = touched.flatMap(({ changedAt }) => changedAt?.getTime() ?? [])
  return join(
    [
      html`<b>${words.states[state]}</b>`,
      words.affectedOf(touched.length, components.length),
      ...(since.length > 0 ? [renderSince(new Date(Math.min(...since)), asOf, format)] : []),
    ],
    DOT,
  )
}

function renderSince(at: Date, now: Date, format: View['format']): Markup {
  const isRecent = now.getTime() - at.getTime() < DAY_MS
  const time = isRecent
    ? timeTag(at, format.timeInZone(at), 'z')
    : timeTag(at, format.dayAndTime(at, now), 'd')
  const duration = format.running(now.getTime() - at.getTime())
  const [before, after] = format.words.since(PLACE, duration).split(PLACE)
  return html`${before}${time}${after}`
}

function renderIncident(view: View, incident: Incident, heading: 'h1' | 'h2'): Markup {
  const { snapshot, format, links } = view
  const { words } = format
  const own = stateOfIncident(incident)
  // The first one speaks for the whole page.
  const state = heading === 'h1' && isBad(snapshot.state) ? snapshot.state : own
  const word =
    heading === 'h1' && isBad(snapshot.state)
      ? words.states[snapshot.state]
      : words.impacts[incident.impact]
  const components = allComponents(snapshot)
  const affected =
    components.filter((component) => isBad(component.state)).length || incident.components.length
  const facts = [
    html`<b>${word}</b>`,
    ...(affected > 0 && heading === 'h1' ? [words.affectedOf(affected, components.length)] : []),
    renderSince(incident.startedAt, snapshot.asOf, format),
  ]
  const latest = incident.updates.find(({ message }) => message !== '')
  const body = html`<div class="hero-body">${renderPhases(view, incident)}${latest && html`<div class="text" dir="auto">${renderMarkdown(latest.message)}</div>`}<div class="hero-foot"><span>${affectedNames(view, incident.components)}</span><a class="go" href="${links.incident(incident.id)}">${words.followIncident}</a></div></div>`
  const title = raw(heading)
  const top = html`<${title} dir="auto">${incident.title}</${title}><p>${join(facts, DOT)}</p>`
  return frame(state, top, { body, isStatus: heading === 'h1' })
}

function renderWindow(view: View, window: Window): Markup {
  const { snapshot, format, links } = view
  const { words } = format
  const components = allComponents(snapshot)
  const left = window.endsAt.getTime() - snapshot.asOf.getTime()
  const facts = [
    html`<b>${words.states.MAINTENANCE}</b>`,
    ...(window.components.length > 0
      ? [words.affectedOf(window.components.length, components.length)]
      : []),
    words.timeLeft(format.running(left)),
  ]
  const span = format.span(window.startsAt, window.endsAt, snapshot.asOf)
  const body = html`<div class="hero-body">${window.description !== null && html`<p class="text" dir="auto">${window.description}</p>`}<div class="hero-foot"><span>${spanTag(window.startsAt, window.endsAt, span)}</span><a class="go" href="${links.window(window.id)}">${words.followMaintenance}</a></div></div>`
  const top = html`<h1 dir="auto">${window.name}</h1><p>${join(facts, DOT)}</p>`
  return frame('MAINTENANCE', top, { body })
}

function frame(
  state: PageSnapshot['state'],
  top: Markup,
  { body, isStatus = true }: { body?: Markup; isStatus?: boolean } = {},
): Markup {
  const role = isStatus ? raw(' role="status"') : ''
  const more = isStatus ? '' : ' more'
  return html`<section class="hero is-${toneOf(state)}${more}"${role}><div class="hero-top">${mark(state, 'xl')}<div>${top}</div></div>${body}</section>
`
}

function affectedNames({ format }: View, components: readonly { name: string }[]): Markup {
  if (components.length === 0) return html``
  const names = components.map(({ name }) => html`<bdi>${name}</bdi>`)
  return html`${format.words.affected}: ${join(names, raw(format.words.listGap))}`
}

const PHASES: readonly StatusIncidentStatus[] = [
  'INVESTIGATING',
  'IDENTIFIED',
  'MONITORING',
  'RESOLVED',
]

/** The four phases, with the time each was first reached. */
export function renderPhases({ format }: View, incident: Incident): Markup {
  const now = PHASES.indexOf(incident.status)
  const items = PHASES.map((phase, index) => {
    const reached = incident.updates.findLast(({ status }) => status === phase)
    const isNow = index === now && incident.status !== 'RESOLVED'
    const name = isNow ? 'now' : index <= now ? 'done' : ''
    const time =
      reached !== undefined &&
      index <= now &&
      timeTag(reached.createdAt, format.time(reached.createdAt), 't')
    return html`<li${name !== '' && html` class="${name}"`}${isNow && raw(' aria-current="step"')}><span>${format.words.phases[phase]}${time}</span></li>`
  })
  return html`<ol class="phases">${items}</ol>`
}
