import { Download } from 'lucide-react'
import { Fragment } from 'react'
import { addressOf } from '../../api/call.ts'
import { auditLogText } from '../../messages/audit-log.ts'
import { useOrganization } from '../../session/organization.ts'
import { useRead } from '../../session/use-api.ts'
import { formatDay } from '../../time/format.ts'
import { useNow } from '../../time/use-now.ts'
import { useAddress } from '../../ui/address.ts'
import { Empty, Loaded, SkeletonRows } from '../../ui/loading.tsx'
import { Page } from '../../ui/page.tsx'
import { Pages } from '../../ui/pages.tsx'
import { type AuditEntry, Entry } from './entry.tsx'
import { FilterBar } from './filter-bar.tsx'
import { ADDRESS, queryOf } from './filters.ts'
import '../../ui/log.css'
import './audit-log.css'

const PAGE_SIZE = 50

export function AuditLog() {
  const { id } = useOrganization()
  const now = useNow(60_000)
  const [address, go] = useAddress(ADDRESS)
  const query = queryOf(address, now)
  const offset = (Math.max(1, Math.floor(Number(address.page)) || 1) - 1) * PAGE_SIZE
  const log = useRead('GET /audit-log', { query: { ...query, limit: PAGE_SIZE, offset } })
  return (
    <Page
      title={auditLogText.auditLog}
      about={<About />}
      actions={
        <a className="btn" href={addressOf(id, 'GET /exports/audit-log.csv', { query })} download>
          <Download className="icon" aria-hidden="true" />
          CSV
        </a>
      }
    >
      <FilterBar address={address} go={go} />
      <section className="card" aria-label={auditLogText.entries}>
        <table className="table dense log audit">
          <thead>
            <tr>
              <th>{auditLogText.time}</th>
              <th>{auditLogText.who}</th>
              <th>{auditLogText.what}</th>
              <th>
                <span className="sr">{auditLogText.details}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            <Loaded
              query={log}
              loading={<SkeletonRows rows={12} widths={['70%', '60%', '50%', '']} />}
            >
              {({ data }) => <Days entries={data} now={now} />}
            </Loaded>
          </tbody>
        </table>
        {log.data?.data.length === 0 && (
          <Empty title={auditLogText.noEntries}>
            {Object.keys(query).length === 0 ? auditLogText.all : auditLogText.noMatches}
          </Empty>
        )}
      </section>
      {log.data && <Pages {...log.data.pagination} />}
    </Page>
  )
}

function About() {
  const { data } = useRead('GET /', {})
  if (data === undefined) return auditLogText.aboutShort
  return auditLogText.about({
    days: String(data.retention.auditLogDays),
    // On phones it would add a line when it arrives.
    kept: (inside) => <span className="hide-phone">{inside}</span>,
  })
}

function Days({ entries, now }: { entries: readonly AuditEntry[]; now: number }) {
  const [{ open }, go] = useAddress(ADDRESS)
  const today = formatDay(now, now)
  return entries.map((entry, index) => {
    const day = formatDay(entry.at, now)
    const before = entries[index - 1]
    const isFirst = before === undefined || formatDay(before.at, now) !== day
    const isOpen = open === entry.id
    return (
      <Fragment key={entry.id}>
        {isFirst && (
          <tr className="fold">
            <th colSpan={4} scope="rowgroup">
              {day === today ? `Today, ${day}` : day}
            </th>
          </tr>
        )}
        <Entry
          of={entry}
          isOpen={isOpen}
          toggle={() => go({ open: isOpen ? '' : entry.id }, { replace: true })}
        />
      </Fragment>
    )
  })
}
