// Status pages with months of history, as checks, people and windows would have created them.
import type { Database } from '../../kit/database.ts'
import { toId } from '../../kit/ids.ts'

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000

export type State = 'UP' | 'DEGRADED' | 'DOWN' | 'PENDING' | 'PAUSED'

/** A disruption that many days ago, for that many minutes. */
type SeedDisruption = { daysAgo: number; minutes: number; state: State }

export type SeedComponent = {
  name: string | null
  description?: string
  /** The monitor's own name, which a named component must not show. */
  monitorName?: string
  url?: string
  state?: State
  stateMinutes?: number
  manual?: string
  /** How long it has been monitored. */
  sinceDays?: number
  disruptions?: readonly SeedDisruption[]
  /** Past windows, that many days ago and for that many minutes. */
  windows?: readonly { daysAgo: number; minutes: number }[]
}

export type SeedSection = {
  name: string | null
  collapsed?: boolean
  components: readonly SeedComponent[]
}

type SeedUpdate = { status: string; message: string; minutesAgo: number }

export type SeedIncident = {
  title: string
  impact?: string
  startedMinutesAgo: number
  /** Undefined if it is still open. */
  minutes?: number
  /** Component names and their states. */
  affects?: Readonly<Record<string, string>>
  updates?: readonly SeedUpdate[]
}

type SeedWindow = {
  name: string
  description?: string
  startsInMinutes: number
  minutes: number
  covers: readonly string[]
}

export type SeedPage = {
  slug: string
  name: string
  settings?: Readonly<Record<string, unknown>>
  sections: readonly SeedSection[]
  incidents?: readonly SeedIncident[]
  windows?: readonly SeedWindow[]
}

export type Seeded = {
  pageId: string
  pageUuid: string
  components: Map<
    string,
    { id: string; uuid: string; monitorUuid: string | null; monitorNo: number }
  >
  incidents: string[]
  windows: string[]
}

export class World {
  readonly #db: Database
  readonly #org: string

  constructor(db: Database, orgUuid: string) {
    this.#db = db
    this.#org = orgUuid
  }

  async seedPage(page: SeedPage): Promise<Seeded> {
    const pageUuid = await this.#insertPage(page)
    const seeded: Seeded = {
      pageId: toId('sp', pageUuid),
      pageUuid,
      components: new Map(),
      incidents: [],
      windows: [],
    }
    for (const [position, section] of page.sections.entries())
      await this.#insertSection(seeded, section, position)
    for (const window of page.windows ?? [])
      seeded.windows.push(await this.#insertWindow(seeded, window))
    for (const incident of page.incidents ?? [])
      seeded.incidents.push(await this.seedIncident(seeded, incident))
    return seeded
  }

  async #insertPage({ slug, name, settings = {} }: SeedPage): Promise<string> {
    const row = {
      theme: 'SYSTEM',
      locale: 'en',
      timezone: 'Europe/Berlin',
      history_days: 90,
      show_uptime: true,
      show_response_time: false,
      allow_indexing: true,
      subscribers_enabled: true,
      published: true,
      created_at: new Date(Date.now() - 400 * DAY_MS),
      ...settings,
    }
    const columns = Object.keys(row)
    const places = columns.map((_, index) => `$${index + 4}`)
    const { id } = await this.#db.one<{ id: string }>(
      `insert into status_pages (id, org_id, name, slug, ${columns.join(', ')})
       values (new_uuid(), $1, $2, $3, ${places.join(', ')}) returning id`,
      [this.#org, name, slug, ...Object.values(row)],
    )
    return id
  }

  async #insertSection(seeded: Seeded, section: SeedSection, position: number): Promise<void> {
    const { id } = await this.#db.one<{ id: string }>(
      `insert into status_page_sections (id, org_id, page_id, position, name, collapsed)
       values (new_uuid(), $1, $2, $3, $4, $5) returning id`,
      [this.#org, seeded.pageUuid, position, section.name, section.collapsed ?? false],
    )
    for (const [place, component] of section.components.entries())
      await this.#insertComponent(seeded, id, component, place)
  }

  async #insertComponent(
    seeded: Seeded,
    sectionUuid: string,
    component: SeedComponent,
    position: number,
  ): Promise<void> {
    const { name, description = null, manual = null } = component
    const monitor = manual === null ? await this.seedMonitor(component) : undefined
    const { id } = await this.#db.one<{ id: string }>(
      `insert into status_page_components
         (id, org_id, page_id, section_id, position, name, description, monitor_id, manual_state)
       values (new_uuid(), $1, $2, $3, $4, $5, $6, $7, $8) returning id`,
      [
        this.#org,
        seeded.pageUuid,
        sectionUuid,
        position,
        name,
        description,
        monitor?.id ?? null,
        manual,
      ],
    )
    seeded.components.set(name ?? component.monitorName ?? '', {
      id: toId('cmp', id),
      uuid: id,
      monitorUuid: monitor?.id ?? null,
      monitorNo: monitor?.no ?? 0,
    })
  }

  async seedMonitor(component: SeedComponent): Promise<{ id: string; no: number }> {
    const { state = 'UP', stateMinutes = 29, url = 'https://example.com/' } = component
    const name = component.monitorName ?? component.name ?? 'Monitor'
    const monitor = await this.#db.one<{ id: string; no: number }>(
      `insert into monitors (id, org_id, name, type, url, method, expected_status, follow_redirects,
         verify_ssl, keyword_match, dns_record_type, dns_alert_on_change, ssl_expiry_threshold_days,
         interval_seconds, timeout_seconds, grace_seconds, degraded_threshold_mode, degraded_samples)
       values (new_uuid(), $1, $2, 'HTTP', $3, 'GET', '{200}', true, true, 'EXISTS', 'A', false, 14,
         60, 30, 0, 'LAST', 3) returning id, no::int as no`,
      [this.#org, name.slice(0, 120), url],
    )
    await this.#db.run(
      `insert into monitor_states (monitor_no, org_id, shard, state, last_status_changed_at)
       values ($1, $2, 0, $3, $4)`,
      [monitor.no, this.#org, state, ago(stateMinutes)],
    )
    await this.#insertHistory(monitor.no, component)
    return monitor
  }

  async #insertHistory(no: number, component: SeedComponent): Promise<void> {
    const { state = 'UP', stateMinutes = 29, sinceDays = 400, disruptions = [] } = component
    if (sinceDays === 0) return
    const edges = disruptions
      .toSorted((a, b) => b.daysAgo - a.daysAgo)
      .flatMap(({ daysAgo, minutes, state: bad }) => [
        { at: new Date(Date.now() - daysAgo * DAY_MS), state: bad },
        { at: new Date(Date.now() - daysAgo * DAY_MS + minutes * MINUTE_MS), state: 'UP' as State },
      ])
    const all = [{ at: new Date(Date.now() - sinceDays * DAY_MS), state: 'UP' as State }, ...edges]
    if (state !== 'UP') all.push({ at: ago(stateMinutes), state })
    for (const [index, { at, state: now }] of all.entries())
      await this.#db.run(
        'insert into state_spans (monitor_no, started_at, ended_at, state) values ($1, $2, $3, $4)',
        [no, at, all[index + 1]?.at ?? null, now],
      )
    for (const { daysAgo, minutes } of component.windows ?? []) {
      const from = new Date(Date.now() - daysAgo * DAY_MS)
      await this.#db.run(
        `insert into maintenance_spans (monitor_no, started_at, ended_at, window_id)
         values ($1, $2, $3, gen_random_uuid())`,
        [no, from, new Date(from.getTime() + minutes * MINUTE_MS)],
      )
    }
  }

  async seedIncident(seeded: Seeded, incident: SeedIncident): Promise<string> {
    const { title, impact = 'MINOR', startedMinutesAgo, minutes, affects = {} } = incident
    const startedAt = ago(startedMinutesAgo)
    const resolvedAt =
      minutes === undefined ? null : new Date(startedAt.getTime() + minutes * MINUTE_MS)
    const updates = incident.updates ?? []
    const status = resolvedAt === null ? (updates[0]?.status ?? 'INVESTIGATING') : 'RESOLVED'
    const { id } = await this.#db.one<{ id: string }>(
      `insert into status_incidents (id, org_id, title, status, impact, started_at, resolved_at, created_at)
       values (new_uuid(), $1, $2, $3, $4, $5, $6, $5) returning id`,
      [this.#org, title, status, impact, startedAt, resolvedAt],
    )
    await this.#db.run(
      `insert into status_incident_pages (org_id, status_incident_id, page_id, position)
       values ($1, $2, $3, 0)`,
      [this.#org, id, seeded.pageUuid],
    )
    const components = Object.entries(affects).map(([name, state]) => ({
      componentId: seeded.components.get(name)?.uuid ?? '',
      state,
    }))
    for (const [position, { componentId, state }] of components.entries())
      await this.#db.run(
        `insert into status_incident_components (org_id, status_incident_id, component_id, position, state)
         values ($1, $2, $3, $4, $5)`,
        [this.#org, id, componentId, position, resolvedAt === null ? state : 'OPERATIONAL'],
      )
    for (const update of updates) await this.seedUpdate(id, update, components)
    return toId('sin', id)
  }

  async seedUpdate(
    incidentUuid: string,
    { status, message, minutesAgo }: SeedUpdate,
    components: readonly { componentId: string; state: string }[] = [],
  ): Promise<void> {
    const said =
      status === 'RESOLVED'
        ? components.map((each) => ({ ...each, state: 'OPERATIONAL' }))
        : components
    await this.#db.run(
      `insert into status_incident_updates
         (id, org_id, status_incident_id, status, message, components, notified_subscribers, created_at)
       values (new_uuid(), $1, $2, $3, $4, $5, false, $6)`,
      [this.#org, incidentUuid, status, message, JSON.stringify(said), ago(minutesAgo)],
    )
  }

  async #insertWindow(seeded: Seeded, window: SeedWindow): Promise<string> {
    const startsAt = ago(-window.startsInMinutes)
    const endsAt = new Date(startsAt.getTime() + window.minutes * MINUTE_MS)
    const isOver = endsAt.getTime() < Date.now()
    const { id } = await this.#db.one<{ id: string }>(
      `insert into maintenance_windows (id, org_id, name, description, starts_at, ends_at, timezone,
         all_monitors, on_named_pages, show_on_status_pages, notify_subscribers, occurrence_starts_at,
         occurrence_ends_at, next_edge_at)
       values (new_uuid(), $1, $2, $3, $4, $5, 'UTC', false, false, true, false, $6, $7, $7) returning id`,
      [
        this.#org,
        window.name,
        window.description ?? null,
        startsAt,
        endsAt,
        isOver ? null : startsAt,
        isOver ? null : endsAt,
      ],
    )
    for (const [position, name] of window.covers.entries()) {
      const component = seeded.components.get(name)
      await this.#db.run(
        `insert into maintenance_window_monitors (org_id, window_id, monitor_id, position)
         values ($1, $2, $3, $4)`,
        [this.#org, id, component?.monitorUuid, position],
      )
      if (startsAt.getTime() > Date.now()) continue
      await this.#db.run(
        'insert into maintenance_spans (monitor_no, started_at, ended_at, window_id) values ($1, $2, $3, $4)',
        [component?.monitorNo, startsAt, endsAt, id],
      )
    }
    return toId('mw', id)
  }
}

export function ago(minutes: number): Date {
  return new Date(Date.now() - minutes * MINUTE_MS)
}
