// The documents of one snapshot, each rendered on first request.
import { BoundedMap } from '../../platform/bounded-map.ts'
import type { Html } from '../../render/html.ts'
import { renderBadge } from '../feeds/badge.ts'
import { renderEmbed } from '../feeds/embed.ts'
import { renderAtom, renderRss } from '../feeds/feeds.ts'
import { renderSummary } from '../feeds/summary.ts'
import { Rendition } from '../snapshot/rendition.ts'
import {
  allComponents,
  type PageIncident,
  type PageSnapshot,
  type ShownPage,
} from '../snapshot/snapshot.ts'
import type { Style } from '../views/assets.ts'
import { renderHistoryPage } from '../views/history-page.ts'
import { renderIncidentPage } from '../views/incident-page.ts'
import { httpsUrl, type View, viewOf } from '../views/layout.ts'
import { renderLedgerPage } from '../views/ledger-page.ts'
import type { Links } from '../views/links.ts'
import { renderOverview } from '../views/overview.ts'
import { renderMessages } from '../views/render-messages.ts'
import { renderWindowPage } from '../views/window-page.ts'
import type { PageRoute } from './routes.ts'

export const HTML = 'text/html; charset=utf-8'
// There are many permalinks: the oldest are evicted.
const MAX_KEPT = 64
const MAX_ABSENT = 1_000

export class Documents {
  readonly snapshot: PageSnapshot
  readonly #kept = new BoundedMap<string, Rendition>(MAX_KEPT)
  readonly #absent = new Set<string>()
  readonly #snapshotBytes: number
  #messages: Promise<void> | undefined

  constructor(snapshot: PageSnapshot) {
    this.snapshot = snapshot
    this.#snapshotBytes = JSON.stringify(snapshot).length
  }

  /** Renders the messages that people wrote, once; documents render fast afterwards. */
  prepare(orgId: string): Promise<void> {
    this.#messages ??= renderMessages(orgId, this.snapshot.incidents).catch((error: unknown) => {
      this.#messages = undefined
      throw error
    })
    return this.#messages
  }

  /** Only documents that are already rendered. */
  known(route: PageRoute, links: Links): Rendition | undefined {
    return this.#kept.get(keyOf(route, links))
  }

  /** Undefined if the page has no such part; an incident may be older than those in the snapshot. */
  find(route: PageRoute, links: Links, incident?: PageIncident): Rendition | undefined {
    const key = keyOf(route, links)
    const known = this.#kept.get(key)
    if (known !== undefined) return known
    const rendition = render(viewOf(this.snapshot, links), route, incident)
    if (rendition === undefined) return undefined
    this.#kept.set(key, rendition)
    return rendition
  }

  /** Incidents that were looked up and not found. */
  isAbsent(uuid: string): boolean {
    return this.#absent.has(uuid)
  }

  setAbsent(uuid: string): void {
    if (this.#absent.size >= MAX_ABSENT) this.#absent.clear()
    this.#absent.add(uuid)
  }

  get bytes(): number {
    return this.#kept.values().reduce((sum, { bytes }) => sum + bytes, this.#snapshotBytes)
  }
}

const keyOf = (route: PageRoute, { base }: Links): string =>
  `${base} ${route.kind} ${'id' in route ? route.id : ''}${'theme' in route ? route.theme : ''}`

function render(view: View, route: PageRoute, incident?: PageIncident): Rendition | undefined {
  switch (route.kind) {
    case 'OVERVIEW':
      return forPeople(view, renderOverview(view))
    case 'HISTORY':
      return forPeople(view, renderHistoryPage(view))
    case 'LEDGER':
      return renderLedger(view)
    case 'INCIDENT':
    case 'WINDOW':
      return renderPermalink(view, route.kind, route.id, incident)
    case 'EMBED':
      return new Rendition(
        renderEmbed(view, route.theme).text,
        HTML,
        securityHeaders(view.style, { frames: true }),
      )
    case 'RSS':
      return forMachines(renderRss(view), 'application/rss+xml; charset=utf-8')
    case 'ATOM':
      return forMachines(renderAtom(view), 'application/atom+xml; charset=utf-8')
    case 'SUMMARY':
      return forMachines({ text: renderSummary(view) }, 'application/json; charset=utf-8')
    case 'BADGE':
    case 'COMPONENT_BADGE':
      return renderBadgeOf(view, route)
  }
}

function renderLedger(view: View): Rendition | undefined {
  const { ledger } = view.snapshot
  return ledger && forPeople(view, renderLedgerPage(view, ledger))
}

function renderPermalink(
  view: View,
  kind: 'INCIDENT' | 'WINDOW',
  id: string,
  older?: PageIncident,
) {
  const { incidents, windows } = view.snapshot
  if (kind === 'INCIDENT') {
    // Without its post-mortem it is not whole, and read again.
    const incident =
      older ?? incidents.find((each) => each.id === id && each.postMortem?.message !== null)
    return incident && forPeople(view, renderIncidentPage(view, incident))
  }
  const window = windows.find((each) => each.id === id)
  return window && forPeople(view, renderWindowPage(view, window))
}

function renderBadgeOf({ snapshot, format }: View, route: PageRoute): Rendition | undefined {
  const id = 'id' in route ? route.id : undefined
  const component = allComponents(snapshot).find((each) => each.id === id)
  if (id !== undefined && component === undefined) return undefined
  const state = component?.state ?? snapshot.state
  const name = component?.name ?? snapshot.page.name
  return forMachines(renderBadge(name, state, format.messages.states[state]), 'image/svg+xml')
}

function forPeople({ style, snapshot }: View, document: Html): Rendition {
  return new Rendition(document.text, HTML, securityHeaders(style, { page: snapshot.page }))
}

function forMachines({ text }: Pick<Html, 'text'>, type: string): Rendition {
  return new Rendition(text, type, {
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'Cross-Origin-Resource-Policy': 'cross-origin',
    // Websites may read these from scripts; such requests do not carry the cookie of a protected page.
    'Access-Control-Allow-Origin': '*',
  })
}

type Policy = { page?: Pick<ShownPage, 'logoUrl' | 'faviconUrl'>; frames?: boolean }

/** No script but our one file, no style but the one in the page, no images but the page's own. */
export function securityHeaders(
  { hash }: Style,
  { page, frames = false }: Policy = {},
): Record<string, string> {
  const pictures = [page?.logoUrl ?? null, page?.faviconUrl ?? null].flatMap(
    (url) => httpsUrl(url) ?? [],
  )
  const origins = new Set(["'self'", ...pictures.map((url) => new URL(url).origin)])
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${hash}'`,
    "font-src 'self'",
    `img-src ${[...origins].join(' ')}`,
    "script-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${frames ? '*' : "'none'"}`,
  ]
  return {
    'Content-Security-Policy': policy.join('; '),
    'Referrer-Policy': 'same-origin',
    'Cross-Origin-Opener-Policy': 'same-origin',
    ...(!frames && { 'X-Frame-Options': 'DENY' }),
  }
}
