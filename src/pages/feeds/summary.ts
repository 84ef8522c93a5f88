// status.json: the summary format that status page tools read.
import type { ComponentState } from '../../domain/status-pages/page-state.ts'
import type { PageComponent, PageIncident, PageSection, PageWindow } from '../snapshot/snapshot.ts'
import { headline } from '../views/hero.ts'
import type { View } from '../views/layout.ts'

const STATUSES: Readonly<Record<ComponentState, string>> = {
  OPERATIONAL: 'operational',
  DEGRADED: 'degraded_performance',
  PARTIAL_OUTAGE: 'partial_outage',
  MAJOR_OUTAGE: 'major_outage',
  MAINTENANCE: 'under_maintenance',
  UNKNOWN: 'unknown',
}
const INDICATORS: Readonly<Record<ComponentState, string>> = {
  OPERATIONAL: 'none',
  DEGRADED: 'minor',
  PARTIAL_OUTAGE: 'major',
  MAJOR_OUTAGE: 'critical',
  MAINTENANCE: 'maintenance',
  UNKNOWN: 'none',
}
const PHASES = { UPCOMING: 'scheduled', ACTIVE: 'in_progress', PAST: 'completed' } as const

export function renderSummary(view: View): string {
  const { snapshot } = view
  const { page } = snapshot
  const summary = {
    page: {
      id: page.id,
      name: page.name,
      url: page.url,
      time_zone: page.timezone,
      updated_at: latestChange(view).toISOString(),
    },
    status: { indicator: INDICATORS[snapshot.state], description: headline(view) },
    components: snapshot.sections.flatMap((section) =>
      section.components.map((component) => toComponent(view, section, component)),
    ),
    incidents: snapshot.incidents
      .filter(({ resolvedAt }) => resolvedAt === null)
      .map((incident) => toIncident(view, incident)),
    scheduled_maintenances: snapshot.windows
      .filter(({ phase }) => phase !== 'PAST')
      .map((window) => toMaintenance(view, window)),
  }
  return `${JSON.stringify(summary)}\n`
}

function latestChange({ snapshot }: View): Date {
  const times = [
    snapshot.page.updatedAt,
    ...snapshot.sections.flatMap(({ components }) =>
      components.flatMap(({ changedAt }) => changedAt ?? []),
    ),
    ...snapshot.incidents.map(({ updatedAt }) => updatedAt),
    ...snapshot.windows.map(({ updatedAt }) => updatedAt),
  ]
  return times.reduce((latest, time) => (time > latest ? time : latest))
}

function toComponent({ snapshot }: View, section: PageSection, component: PageComponent) {
  return {
    id: component.id,
    name: component.name,
    status: STATUSES[component.state],
    group_id: section.name === null ? null : section.id,
    description: component.description,
    updated_at: (component.changedAt ?? snapshot.page.updatedAt).toISOString(),
  }
}

function toIncident({ snapshot }: View, incident: PageIncident) {
  return {
    id: incident.id,
    name: incident.title,
    status: incident.status.toLowerCase(),
    impact: incident.impact.toLowerCase(),
    shortlink: `${snapshot.page.url}/incidents/${incident.id}`,
    started_at: incident.startedAt.toISOString(),
    created_at: incident.createdAt.toISOString(),
    updated_at: incident.updatedAt.toISOString(),
    resolved_at: incident.resolvedAt?.toISOString() ?? null,
    components: incident.components.map(({ id, name, state }) => ({
      id,
      name,
      status: STATUSES[state],
    })),
    incident_updates: incident.updates.map((update) => ({
      id: update.id,
      incident_id: incident.id,
      status: update.status.toLowerCase(),
      body: update.message,
      created_at: update.createdAt.toISOString(),
      affected_components: update.components.map(({ id, name, state }) => ({
        code: id,
        name,
        new_status: STATUSES[state],
      })),
    })),
  }
}

function toMaintenance({ snapshot }: View, window: PageWindow) {
  return {
    id: window.id,
    name: window.name,
    status: PHASES[window.phase],
    impact: 'maintenance',
    shortlink: `${snapshot.page.url}/maintenance/${window.id}`,
    description: window.description,
    scheduled_for: window.startsAt.toISOString(),
    scheduled_until: window.endsAt.toISOString(),
    created_at: window.createdAt.toISOString(),
    updated_at: window.updatedAt.toISOString(),
    components: window.components,
  }
}
