// Prints how every surface writes the instants of its first argument, as JSON: the dashboard of a viewer in the process's
// own time zone, and the page and the emails of people in Europe/Berlin.
import { renderAccountEmail } from '../../src/channels/email/account-emails.ts'
import { renderNoticeEmail } from '../../src/channels/email/templates.ts'
import { slackNotice } from '../../src/channels/subscribers/hook-messages.ts'
import { toAlert } from '../../src/domain/alerts/text.ts'
import type { SubscriberNotice } from '../../src/domain/status-pages/notice.ts'
import { renderAtom, renderRss } from '../../src/pages/feeds/feeds.ts'
import type { PageIncident, PageSnapshot } from '../../src/pages/snapshot/snapshot.ts'
import { renderHistoryPage } from '../../src/pages/views/history-page.ts'
import { renderIncidentPage } from '../../src/pages/views/incident-page.ts'
import { type View, viewOf } from '../../src/pages/views/layout.ts'
import { linksAt } from '../../src/pages/views/links.ts'
import { renderOverview } from '../../src/pages/views/overview.ts'
import { renderWindowPage } from '../../src/pages/views/window-page.ts'
import { valueLabel } from '../../web/src/screens/audit-log/values.ts'
import { newDays } from '../../web/src/screens/incidents/fold-timeline.ts'
import { bucketLabel, tickLabel } from '../../web/src/screens/monitor/chart/chart-times.ts'
import { checkedLabel } from '../../web/src/screens/monitors/row-text.ts'
import { ownSpanLabel, spanLabel } from '../../web/src/shared/maintenance-window.ts'
import { formatMoment, zoneName } from '../../web/src/time/format.ts'
import { TIME_FORMS } from '../../web/src/time/forms.ts'
import { VIEWER_ZONE } from '../../web/src/time/viewer.ts'
import { formatWall } from '../../web/src/time/wall-text.ts'
import { toWall } from '../../web/src/time/wall-time.ts'

const ZONE = 'Europe/Berlin'
// More than a day after every instant, so that none is called "today".
const NOW = '2026-12-31T12:00:00.000Z'
// More than a day before every instant.
const BEFORE = '2025-12-01T12:00:00.000Z'
const HOUR_MS = 3_600_000

function dashboard(at: string): Record<string, string> {
  const span = { startsAt: at, endsAt: new Date(Date.parse(at) + HOUR_MS).toISOString() }
  const seconds = Date.parse(at) / 1000
  const range = { from: at, to: NOW }
  const day = { from: at, to: span.endsAt }
  const row = { type: 'HTTP', state: 'PAUSED', lastCheckedAt: at } as const
  return {
    moment: formatMoment(at, NOW),
    zone: zoneName(at),
    monitorRow: checkedLabel({ ...row, lastHeartbeatAt: null, nextCheckAt: null }).title,
    auditLog: valueLabel('startsAt', at),
    window: spanLabel(span, Date.parse(NOW)),
    windowsOwn: ownSpanLabel(span, Date.parse(NOW), ZONE) ?? '',
    chartDay: tickLabel(seconds, range),
    chartClock: tickLabel(seconds, day),
    chartTip: bucketLabel(seconds, { to: NOW, bucketSeconds: 3600 }),
    timeline: [newDays([at], BEFORE, Date.parse(NOW))[0] ?? '', TIME_FORMS.seconds(at)].join(' '),
    field: formatWall(toWall(at, VIEWER_ZONE)),
  }
}

const PAGE = {
  name: 'Acme',
  locale: 'en',
  timezone: ZONE,
  url: 'https://status.acme.com',
  theme: 'SYSTEM',
  accentColor: null,
  logoUrl: null,
  faviconUrl: null,
  homepageUrl: null,
  historyDays: 90,
  description: null,
  supportUrl: null,
}

const UUID = '01890000-0000-7000-8000-000000000000'

const mainOf = ({ text }: { text: string }): string =>
  text.slice(text.indexOf('<main'), text.indexOf('</main>'))

function statusPage(at: Date): Record<string, string> {
  const incident: PageIncident = {
    id: 'sin_1',
    title: 'Slow',
    status: 'RESOLVED',
    impact: 'MINOR',
    startedAt: at,
    resolvedAt: new Date(at.getTime() + HOUR_MS),
    createdAt: at,
    updatedAt: at,
    components: [],
    updates: [
      { id: 'siu_1', status: 'RESOLVED', message: 'Fixed.', createdAt: at, components: [] },
    ],
    nextUpdateBy: null,
    postMortem: null,
  }
  const window = { id: 'mw_1', name: 'Move', description: null, phase: 'PAST' } as const
  const snapshot = {
    page: PAGE,
    state: 'OPERATIONAL',
    asOf: new Date(NOW),
    days: [],
    sections: [],
    incidents: [incident],
    windows: [],
  } as unknown as PageSnapshot
  const view = viewOf(snapshot, linksAt(''))
  const times = { startsAt: at, endsAt: at, createdAt: at, updatedAt: at, components: [] }
  return {
    incidentPage: mainOf(renderIncidentPage(view, incident)),
    windowPage: mainOf(renderWindowPage(view, { ...window, ...times })),
    history: mainOf(renderHistoryPage(view)),
    ...overviewAndFeeds(view, { ...window, ...times, phase: 'UPCOMING' }, incident),
  }
}

/** With an incident that is still open, one that is over, and maintenance ahead. */
function overviewAndFeeds(
  view: View,
  window: PageSnapshot['windows'][number],
  over: PageIncident,
): Record<string, string> {
  const open = { ...over, id: 'sin_2', status: 'INVESTIGATING', resolvedAt: null } as const
  const updates = over.updates.map((update) => ({ ...update, status: open.status }))
  const incidents = [{ ...open, updates }, over]
  const of = { ...view, snapshot: { ...view.snapshot, incidents, windows: [window] } }
  return {
    overview: mainOf(renderOverview(of)),
    rss: renderRss(of).text,
    atom: renderAtom(of).text,
  }
}

function emails(at: Date): Record<string, string> {
  const links = { confirm: '', manage: '', unsubscribe: '' }
  const iso = at.toISOString()
  const notice: SubscriberNotice = {
    kind: 'STATUS_INCIDENT',
    id: 'sin_1',
    what: 'PUBLISHED',
    title: 'Slow',
    status: 'INVESTIGATING',
    impact: 'MINOR',
    message: '',
    at: iso,
    startedAt: iso,
    resolvedAt: null,
    components: [],
  }
  const account = renderAccountEmail({
    kind: 'ACCOUNT_CHANGED',
    to: 'ana@acme.com',
    name: 'Ana',
    change: 'PASSWORD',
    network: '192.0.2.0/24',
    link: '',
    at: iso,
    endsAt: iso,
    timezone: ZONE,
  })
  const about = { monitorId: 'mon_1', name: 'Shop', address: null, cause: 'HTTP 503' }
  const condition = { uuid: '', kind: 'DOWN', incidentUuid: null, host: null, since: at } as const
  const alert = toAlert(
    {
      kind: 'DOWN',
      thread: '',
      conditions: [{ ...condition, endedAt: null, resolution: null, about }],
      open: [],
    },
    { organization: 'Acme', baseUrl: '', timezone: ZONE, at: new Date(NOW) },
  )
  return {
    subscriber: renderNoticeEmail(notice, PAGE, links).text,
    slack: slackNotice({ page: { ...PAGE, uuid: UUID }, links, notice }).body,
    account: account.text,
    alert: alert.summary,
  }
}

const instants: string[] = JSON.parse(process.argv[2] ?? '[]')
const written = instants.map((at) => ({
  ...dashboard(at),
  ...statusPage(new Date(at)),
  ...emails(new Date(at)),
}))
process.stdout.write(JSON.stringify(written))
