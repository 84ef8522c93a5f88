import { Download, KeyRound, SlidersHorizontal } from 'lucide-react'
import { Fragment } from 'react'
import { addressOf } from '../../api/call.ts'
import type { ItemOf } from '../../api/contract.ts'
import { useOrganization } from '../../session/organization.ts'
import { useRead } from '../../session/use-api.ts'
import { formatDay, zoneName } from '../../time/format.ts'
import { useNow } from '../../time/use-now.ts'
import { useAddress } from '../../ui/address.ts'
import { initialsOf } from '../../ui/initials.ts'
import { Empty, Loaded, SkeletonRows } from '../../ui/loading.tsx'
import { Page } from '../../ui/page.tsx'
import { Pages } from '../../ui/pages.tsx'
import { Time } from '../../ui/time.tsx'
import { ACTIONS, actionLabel } from './action-labels.ts'
import '../../ui/avatar.css'
import '../../ui/log.css'
import './audit-log.css'

type Line = ItemOf<'GET /audit-log'>

const PAGE_SIZE = 50
const ADDRESS = { actor: '', action: '', page: '1' }

export function AuditLog() {
  const { id } = useOrganization()
  const [{ actor, action, page }] = useAddress(ADDRESS)
  const filters = { ...(actor !== '' && { actor }), ...(action !== '' && { action }) }
  const offset = (Number(page) - 1) * PAGE_SIZE
  const log = useRead('GET /audit-log', { query: { ...filters, limit: PAGE_SIZE, offset } })
  return (
    <Page
      title="Audit log"
      about={`Who changed what. Nobody can edit it. Times in ${zoneName()}.`}
      actions={
        <a
          className="btn"
          href={addressOf(id, 'GET /exports/audit-log.csv', { query: filters })}
          download
        >
          <Download className="icon" aria-hidden="true" />
          CSV
        </a>
      }
    >
      <Filters actor={actor} action={action} />
      <section className="card" aria-label="Entries">
        <table className="table dense log audit">
          <thead>
            <tr>
              <th>Time</th>
              <th>Who</th>
              <th>What</th>
              <th>Object</th>
              <th>Request</th>
            </tr>
          </thead>
          <tbody>
            <Loaded
              query={log}
              loading={<SkeletonRows rows={12} widths={['70%', '60%', '50%', '70%', '70%']} />}
            >
              {({ data }) => <Days lines={data} />}
            </Loaded>
          </tbody>
        </table>
        {log.data?.data.length === 0 && (
          <Empty title="No entries">
            {actor + action === ''
              ? 'What people and programs change here is written down.'
              : 'Nobody did this. Choose other people or other actions.'}
          </Empty>
        )}
      </section>
      {log.data && <Pages {...log.data.pagination} />}
    </Page>
  )
}

function Filters({ actor, action }: { actor: string; action: string }) {
  const [, go] = useAddress(ADDRESS)
  const members = useRead('GET /members', {})
  const keys = useRead('GET /keys', {})
  const names = [...(members.data?.data ?? []), ...(keys.data?.data ?? [])].map(({ name }) => name)
  // A person or key that is gone stays selectable while its entries are shown.
  const actors = [...new Set([...names, ...(actor === '' ? [] : [actor])])].toSorted()
  return (
    <div className="filters">
      <div className="pickers">
        <select
          className="select"
          aria-label="Who"
          value={actor}
          onChange={(event) => go({ actor: event.currentTarget.value, page: '1' })}
        >
          <option value="">Everyone</option>
          {actors.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
        <select
          className="select"
          aria-label="What"
          value={action}
          onChange={(event) => go({ action: event.currentTarget.value, page: '1' })}
        >
          <option value="">All actions</option>
          {ACTIONS.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </div>
    </div>
  )
}

function Days({ lines }: { lines: readonly Line[] }) {
  const now = useNow(60_000)
  const today = formatDay(now, now)
  return lines.map((line, index) => {
    const day = formatDay(line.at, now)
    const before = lines[index - 1]
    const isFirst = before === undefined || formatDay(before.at, now) !== day
    return (
      <Fragment key={line.id}>
        {isFirst && (
          <tr className="fold">
            <th colSpan={5} scope="rowgroup">
              {day === today ? `Today, ${day}` : day}
            </th>
          </tr>
        )}
        <Entry of={line} />
      </Fragment>
    )
  })
}

function Entry({ of }: { of: Line }) {
  const { actor, action } = of
  return (
    <tr>
      <td className="num tm">
        <Time at={of.at} as="seconds" />
      </td>
      <td className="ac2">
        <span className="who">
          <ActorMark of={actor} />
          <bdi className="truncate" title={actor.name}>
            {actor.name}
          </bdi>
        </span>
      </td>
      <td className="wt">{actionLabel(action)}</td>
      <td className="cd mono faint">{of.resourceId ?? '–'}</td>
      <td className="ip mono faint">{of.requestId ?? '–'}</td>
    </tr>
  )
}

function ActorMark({ of }: { of: Line['actor'] }) {
  if (of.type === 'USER')
    return (
      <span className="avatar round" aria-hidden="true">
        {initialsOf(of.name)}
      </span>
    )
  const Icon = of.type === 'API_KEY' ? KeyRound : SlidersHorizontal
  return (
    <span className="avatar round sys">
      <Icon className="icon" aria-label={of.type === 'API_KEY' ? 'API key' : 'Operator'} />
    </span>
  )
}
