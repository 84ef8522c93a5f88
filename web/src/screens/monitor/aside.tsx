// The sidebar of a monitor: expiry, settings, contacts and maintenance windows.
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { PATHS } from '../../../../src/domain/values/dashboard-paths.ts'
import { monitorText } from '../../messages/monitor.ts'
import { ChannelIcon } from '../../shared/channel-icon.tsx'
import { timeLeftLabel, watchesExpiry } from '../../shared/expiry.ts'
import { fromStatuses } from '../../shared/monitor-draft.ts'
import { plural } from '../../time/figures.ts'
import { formatDay, formatSpan } from '../../time/format.ts'
import { Mark, StateLabel } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import type { MonitorScreen } from './monitor-screen.ts'
import '../../ui/facts.css'
import './monitor.css'

const { aside, settings, expiry: expiryText } = monitorText

export function Aside({ screen }: { screen: MonitorScreen }) {
  return (
    <aside aria-label={aside.label}>
      {screen.expiry && !watchesExpiry(screen.type) && (
        <Expiry expiry={screen.expiry} at={screen.at} />
      )}
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

type ExpiryProps = { expiry: NonNullable<MonitorScreen['expiry']>; at: string }

/** Of the certificate that a page was served with. */
function Expiry({ expiry, at: now }: ExpiryProps) {
  const { what, at, soon, expired } = expiry
  return (
    <Card title={expiryText.title}>
      <dl className="facts">
        <div>
          <dt>{what === 'CERTIFICATE' ? expiryText.certificate : expiryText.domain}</dt>
          <dd>
            <StateLabel state={soon || expired ? 'EXPIRING' : 'UP'} word={timeLeftLabel(expiry)} />
            <div className="faint">
              {(expired ? expiryText.expiredOn : expiryText.until)({ day: formatDay(at, now) })}
            </div>
          </dd>
        </div>
      </dl>
    </Card>
  )
}

function Settings({ screen }: { screen: MonitorScreen }) {
  const details = settingsOf(screen)
  return (
    <Card title={settings.title}>
      <dl className="facts">
        {details.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        {screen.regions !== null && (
          <div>
            <dt>{settings.regions}</dt>
            <dd className="wrap-any">{regionsText(screen.regions)}</dd>
          </div>
        )}
        {screen.lastChange && <LastChange id={screen.id} of={screen.lastChange} />}
        {screen.statusPages.length > 0 && (
          <div>
            <dt>{settings.shownOn}</dt>
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

type LastChangeProps = { id: string; of: NonNullable<MonitorScreen['lastChange']> }

function LastChange({ id, of: { at, by } }: LastChangeProps) {
  return (
    <div>
      <dt>{settings.lastChange}</dt>
      <dd>
        <bdi>{by}</bdi>,{' '}
        <Link className="link" to={PATHS.auditLog} search={{ q: id }} title={settings.allChanges}>
          <Time at={at} as="minutesAgo" />
        </Link>
      </dd>
    </div>
  )
}

type Setting = [name: string, value: string]

function settingsOf({ type, monitor }: MonitorScreen): Setting[] {
  const isHttp = type === 'HTTP' || type === 'KEYWORD'
  const watches = watchesExpiry(type)
  const details: [...Setting, isShown: boolean][] = [
    [settings.expectedStatus, fromStatuses(monitor.expectedStatus), isHttp],
    [...keywordSetting(monitor), type === 'KEYWORD'],
    [settings.record, monitor.dnsRecordType ?? '', type === 'DNS'],
    [settings.expectedValue, monitor.dnsExpected ?? settings.anyValue, type === 'DNS'],
    [settings.timeout, `${monitor.timeoutSeconds} s`, type !== 'CRON'],
    [...slowSetting(monitor), type !== 'CRON' && !watches],
    [settings.warnBefore, plural(monitor.sslExpiryThresholdDays, 'day'), isHttp || watches],
    [
      settings.redirects,
      monitor.followRedirects ? settings.followed : settings.notFollowed,
      isHttp,
    ],
    [settings.certificate, monitor.verifySsl ? settings.verified : settings.notVerified, isHttp],
    [settings.grace, formatSpan(monitor.graceSeconds * 1000), type === 'CRON'],
  ]
  return details.filter(([, , isShown]) => isShown).map(([name, value]) => [name, value])
}

function keywordSetting({ keyword, keywordMatch }: MonitorScreen['monitor']): Setting {
  const name = keywordMatch === 'EXISTS' ? settings.contains : settings.containsNot
  return [name, `“${keyword}”`]
}

function slowSetting(monitor: MonitorScreen['monitor']): Setting {
  const { degradedThresholdMs: limit, degradedSamples: samples, degradedThresholdMode } = monitor
  if (limit === null) return [settings.slowLimit, settings.off]
  const over = degradedThresholdMode === 'P95' ? settings.p95Over : settings.lastOver
  return [settings.degradedWhen, over({ checks: samples, limitMs: limit })]
}

function Contacts({ screen: { contacts, alerting: ofMonitor } }: { screen: MonitorScreen }) {
  return (
    <Card title={aside.contacts}>
      {contacts.length === 0 ? (
        <p className="muted text-sm">
          {ofMonitor === 'ON' ? aside.escalationOnly : aside.noContacts}
        </p>
      ) : (
        <ul>
          {contacts.map(({ id, name, channel, alerting, troubled }) => (
            <li key={id} className="contact">
              <ChannelIcon of={channel} />
              <span className="grow truncate" title={name}>
                {name}
              </span>
              {alerting !== 'ON' && <span className="faint">{aside.contactSilent[alerting]}</span>}
              {troubled && (
                <span className="state is-down">
                  <Mark state="DOWN" />
                  {aside.contactFailing}
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

function Windows({ screen: { windows } }: { screen: MonitorScreen }) {
  return (
    <Card title={aside.maintenance}>
      <ul className="stack tight">
        {windows.map(({ id, name, status, occurrence }) => (
          <li key={id} className="two text-sm">
            <span>{name}</span>
            <span>
              {status === 'ACTIVE'
                ? aside.inProgress
                : occurrence && <Time at={occurrence.startsAt} />}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function regionsText({ regions, mode }: NonNullable<MonitorScreen['regions']>): string {
  const names = regions.join(', ')
  return mode === 'EACH' ? settings.regionsAtOnce({ names }) : names
}
