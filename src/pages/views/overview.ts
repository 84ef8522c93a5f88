// The page itself: state, incidents, maintenance, components, history.
import { historyByDay } from '../../domain/status-pages/history.ts'
import { type Html, html, join, raw } from '../../render/html.ts'
import {
  allComponents,
  type PageComponent,
  type PageIncident,
  type PageSection,
} from '../snapshot/snapshot.ts'
import { isBad, stateOfIncident } from '../snapshot/tone.ts'
import { describeUptime, renderAxis, renderBars, renderLegend } from './bars.ts'
import { icon, mark, stateLabel } from './drawings.ts'
import { excerptOf } from './excerpt.ts'
import { oneLine, renderHero, windowInHero } from './hero.ts'
import { renderDocument, type View } from './layout.ts'
import { spanTag } from './time-tag.ts'

const PLANNED = 10
const PAST_INCIDENTS = 15
const LEAST_PAST_DAYS = 7

export function renderOverview(view: View): Html {
  const { snapshot, format } = view
  const { page } = snapshot
  const main = html`<main class="pub" id="main">
${page.description !== null && html`<p class="intro" dir="auto">${page.description}</p>`}
${renderHero(view)}
${renderPlanned(view)}
${renderSections(view)}
${renderPast(view)}
</main>`
  return renderDocument(view, {
    title: format.messages.title(page.name),
    summary: oneLine(view),
    path: '',
    current: 'STATUS',
    main,
  })
}

function renderPlanned(view: View): Html {
  const { snapshot, format, links } = view
  const { messages } = format
  const inHero = windowInHero(snapshot)
  const planned = snapshot.windows
    .filter((window) => window.phase !== 'PAST' && window !== inHero)
    .slice(0, PLANNED)
  if (planned.length === 0) return html``
  const plans = planned.map(({ id, name, description, phase, startsAt, endsAt }) => {
    const title = phase === 'ACTIVE' ? messages.underWay(name) : messages.scheduled(name)
    const span = format.span(startsAt, endsAt, snapshot.asOf)
    return html`<div class="plan">${mark('MAINTENANCE')}<h3 dir="auto"><a href="${links.window(id)}">${title}</a></h3><span class="when">${spanTag(startsAt, endsAt, span)}</span>${description !== null && html`<p dir="auto">${description}</p>`}</div>`
  })
  return html`<section class="planned" aria-labelledby="planned"><h2 id="planned" class="sr">${messages.scheduledMaintenance}</h2>${plans}</section>`
}

function renderSections(view: View): Html {
  const { snapshot, format } = view
  if (allComponents(snapshot).length === 0) return html``
  const sections = snapshot.sections.filter(({ components }) => components.length > 0)
  return html`<section class="sections" aria-labelledby="components" data-from="${snapshot.days[0]?.date}" data-u="${format.messages.bars.UP}" data-none="${format.messages.bars.NONE}"><div class="sections-head"><h2 id="components">${format.messages.components}</h2>${renderLegend(format)}</div>
${sections.map((section) => renderSection(view, section))}</section>`
}

function renderSection(view: View, section: PageSection): Html {
  const { format, snapshot } = view
  const { name, components, state } = section
  const rows = components.map((component) => renderComponent(view, component))
  const axis = renderAxis(snapshot.days.length, format)
  if (name === null) return html`<div class="section">${rows}${axis}</div>\n`
  // Collapsed sections open by default if a component in them has a problem.
  const isOpen = !section.collapsed || isBad(state)
  return html`<details class="section"${isOpen && raw(' open')}><summary>${icon('right')}<h3><bdi>${name}</bdi> <span class="count">${components.length}</span></h3>${stateLabel(state, format.messages.states[state])}</summary>
${rows}${axis}</details>
`
}

function renderComponent(view: View, component: PageComponent): Html {
  const { format } = view
  const { messages } = format
  const { name, description, responseMs, state } = component
  const uptime = describeUptime(component, view.snapshot, format)
  const figures = [
    ...(responseMs === null ? [] : [`${responseMs} ms`]),
    ...(uptime === '' ? [] : [uptime]),
  ]
  return html`<div class="comp"><div class="comp-top"><h4><bdi>${name}</bdi></h4>${figures.length > 0 && html`<span class="pct">${figures.join(' · ')}</span>`}${stateLabel(state, messages.states[state])}</div>${description !== null && html`<p class="about" dir="auto">${description}</p>`}${renderBars(component, view.snapshot, view)}</div>
`
}

function renderPast(view: View): Html {
  const { snapshot, format, links } = view
  const { messages } = format
  const { asOf, page, incidents } = snapshot
  const past = incidents.filter(({ resolvedAt }) => resolvedAt !== null).slice(0, PAST_INCIDENTS)
  const entries = historyByDay(past, {
    timezone: page.timezone,
    now: asOf,
    leastDays: Math.min(LEAST_PAST_DAYS, page.historyDays),
  })
  const isOpen = incidents.some(({ resolvedAt }) => resolvedAt === null)
  const days = entries.map((entry, index) => {
    if (entry.kind === 'QUIET') return quietDays(view, entry.from, entry.to)
    const articles = entry.incidents.map((incident) => renderPastIncident(view, incident, 4))
    const quiet = index === 0 && isOpen ? messages.quietOtherwise : messages.quietToday
    return html`<div class="day"><h3>${format.date(entry.date, asOf)}</h3><div>${articles.length > 0 ? articles : html`<p class="quiet">${quiet}</p>`}</div></div>
`
  })
  return html`<section aria-labelledby="past"><div class="sections-head"><h2 id="past">${messages.pastIncidents}</h2><a class="go" href="${links.history}">${messages.allIncidents}</a></div><div class="days">
${days}</div></section>`
}

export function quietDays({ format, snapshot }: View, from: string, to: string): Html {
  const when = from === to ? format.date(from, snapshot.asOf) : format.dates(from, to)
  return html`<div class="day"><p>${when}</p><div><p class="quiet">${format.messages.quiet}</p></div></div>
`
}

export function renderPastIncident(view: View, incident: PageIncident, level: 3 | 4): Html {
  const { format, links, snapshot } = view
  const { messages } = format
  const isOver = incident.resolvedAt !== null
  const ms = (incident.resolvedAt ?? snapshot.asOf).getTime() - incident.startedAt.getTime()
  const lasted = isOver ? format.duration(ms) : format.running(ms)
  const names = incident.components.map(({ name }) => html`<bdi>${name}</bdi>`)
  const text = excerptOf(incident)
  const state = isOver
    ? stateLabel('OPERATIONAL', messages.phases.RESOLVED)
    : stateLabel(stateOfIncident(incident), messages.phases[incident.status])
  return html`<article class="past"><h${level} dir="auto"><a href="${links.incident(incident.id)}">${incident.title}</a></h${level}><div class="meta">${state}<span>${isOver ? lasted : messages.ongoingFor(lasted)}</span>${names.length > 0 && html`<span>${join(names, raw(messages.listGap))}</span>`}</div>${text !== '' && html`<p dir="auto">${text}</p>`}${incident.postMortem !== null && html`<p><a class="link" href="${links.incident(incident.id)}#post-mortem">${messages.postMortem}</a></p>`}</article>`
}
