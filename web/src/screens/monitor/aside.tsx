// The sidebar of a monitor: expiry, settings, contacts and maintenance windows.
import { Bell, Hash, type LucideIcon, Mail } from 'lucide-react'
import type { ReactNode } from 'react'
import { fromStatuses } from '../../shared/monitor-draft.ts'
import { TagList } from '../../shared/tag-list.tsx'
import { plural } from '../../time/figures.ts'
import { formatDay, formatSpan } from '../../time/format.ts'
import { Mark } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import type { MonitorScreen } from './monitor-screen.ts'
import '../../ui/facts.css'
import './monitor.css'

export function Aside({ screen }: { screen: MonitorScreen }) {
  return (
    <aside aria-label="About this monitor">
      {screen.expiry && <Expiry expiry={screen.expiry} screen={screen} />}
      <Settings screen={screen} />
      <Contacts screen={screen} />
      {screen.windows.length > 0 && <Windows screen={screen} />}
    </aside>
  )
}

function Card({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="card card-body">
      <h2 className="aside-title">{title}</h2>
      {children}
    </section>
  )
}

function Expiry({
  expiry: { what, at, daysLeft },
  screen,
}: {
  expiry: NonNullable<MonitorScreen['expiry']>
  screen: MonitorScreen
}) {
  const soon = daysLeft <= screen.monitor.sslExpiryThresholdDays
  return (
    <Card title="Expiry">
      <dl className="facts">
        <div>
          <dt>{what === 'CERTIFICATE' ? 'Certificate' : 'Domain'}</dt>
          <dd>
            <span className={`state ${soon ? 'is-degraded' : 'is-up calm'}`}>
              <Mark state={soon ? 'DEGRADED' : 'UP'} />
              {plural(daysLeft, 'day')}
            </span>
            <div className="faint">{formatDay(at, screen.at)}</div>
          </dd>
        </div>
      </dl>
    </Card>
  )
}

function Settings({ screen }: { screen: MonitorScreen }) {
  const details = settingsOf(screen)
  return (
    <Card title="Settings">
      <dl className="facts">
        {details.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        {screen.tags.length > 0 && (
          <div>
            <dt>Tags</dt>
            <dd>
              <TagList tags={screen.tags} />
            </dd>
          </div>
        )}
        {screen.statusPages.length > 0 && (
          <div>
            <dt>Shown on</dt>
            <dd>
              {screen.statusPages.map(({ id, name, url }) => (
                <a key={id} className="link" href={url}>
                  {name}
                </a>
              ))}
            </dd>
          </div>
        )}
      </dl>
    </Card>
  )
}

function settingsOf({ type, monitor }: MonitorScreen): [string, string][] {
  const isHttp = type === 'HTTP' || type === 'KEYWORD'
  const slow =
    monitor.degradedThresholdMs === null
      ? 'not by slowness'
      : `${monitor.degradedThresholdMode === 'P95' ? 'p95 of ' : 'last '}${monitor.degradedSamples} over ${monitor.degradedThresholdMs} ms`
  const details: [string, string, boolean][] = [
    ['Expects', fromStatuses(monitor.expectedStatus), isHttp],
    [
      'Keyword',
      `“${monitor.keyword}” ${monitor.keywordMatch === 'EXISTS' ? 'is there' : 'is not there'}`,
      type === 'KEYWORD',
    ],
    ['Record', monitor.dnsRecordType ?? '', type === 'DNS'],
    ['Expects', monitor.dnsExpected ?? 'any answer', type === 'DNS'],
    ['Timeout', `${monitor.timeoutSeconds} s`, type !== 'CRON'],
    ['Degraded', slow, type !== 'CRON'],
    ['Redirects', monitor.followRedirects ? 'followed' : 'not followed', isHttp],
    ['Certificate', monitor.verifySsl ? 'verified' : 'not verified', isHttp],
    ['May be late by', formatSpan(monitor.graceSeconds * 1000), type === 'CRON'],
  ]
  return details.filter(([, , isShown]) => isShown).map(([name, value]) => [name, value])
}

const ICONS: Record<string, LucideIcon> = { EMAIL: Mail, SLACK: Hash }

function Contacts({ screen: { contacts } }: { screen: MonitorScreen }) {
  return (
    <Card title="Alerts go to">
      {contacts.length === 0 ? (
        <p className="muted text-sm">
          Nobody. Incidents are recorded, but no contact is attached to this monitor.
        </p>
      ) : (
        <ul>
          {contacts.map(({ id, name, channel, enabled, troubled }) => {
            const Icon = ICONS[channel] ?? Bell
            return (
              <li key={id} className="contact">
                <Icon className="icon" aria-hidden="true" />
                <span className="grow truncate" title={name}>
                  {name}
                </span>
                {!enabled && <span className="faint">off</span>}
                {troubled && (
                  <span className="state is-down">
                    <Mark state="DOWN" />
                    fails
                  </span>
                )}
              </li>
            )
          })}
        </ul>
      )}
    </Card>
  )
}

function Windows({ screen: { windows } }: { screen: MonitorScreen }) {
  return (
    <Card title="Maintenance">
      <ul className="stack tight">
        {windows.map(({ id, name, status, occurrence }) => (
          <li key={id} className="two text-sm">
            <span>{name}</span>
            <span>
              {status === 'ACTIVE' ? 'under way' : occurrence && <Time at={occurrence.startsAt} />}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
