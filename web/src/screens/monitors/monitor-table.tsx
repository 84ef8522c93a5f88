import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChevronDown, ChevronUp } from 'lucide-react'
import type { ReactNode } from 'react'
import { PATHS } from '../../../../src/domain/values/dashboard-paths.ts'
import { useConnection } from '../../api/connection.ts'
import type { ResponseOf } from '../../api/contract.ts'
import { monitorsText } from '../../messages/monitors/monitors.ts'
import { useMay } from '../../session/organization.ts'
import { useMonitorActions } from '../../session/use-monitor-actions.ts'
import type { Address } from '../../ui/address.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Empty, Failed, SkeletonRows } from '../../ui/loading.tsx'
import type { Selection } from '../../ui/selection.ts'
import { MonitorRow } from './monitor-row.tsx'
import '../../ui/choice.css'
import './monitor-table.css'

type Props = {
  list: UseQueryResult<ResponseOf<'GET /overview/monitors'>>
  selection: Selection
  address: { q: string; state: string; type: string; sort: string; reversed: string }
  note: ReactNode
  /** Phones show check boxes only while the person selects. */
  isPicking: boolean
}

const WIDTHS = ['45%', '40px', '70px', '142px', '52px', '48px', '60px']
const PICK_WIDTHS = ['16px', ...WIDTHS, '24px']
const SKELETON_ROWS = 8
const { columns, nothing, select, title } = monitorsText

export function MonitorTable({ list, selection, address, note, isPicking }: Props) {
  const canPick = useMay('MEMBER')
  const actions = useMonitorActions()
  const { data, error } = list
  if (data === undefined && error !== null)
    return (
      <section className="card">
        <Failed error={error} retry={() => void list.refetch()} />
      </section>
    )
  if (data?.pagination.total === 0) return <Nothing {...address} />
  return (
    <section className="card" aria-label={title} aria-busy={list.isFetching}>
      <table className={isPicking ? 'table monitors picking' : 'table monitors'}>
        <thead>
          <tr>
            {canPick && (
              <th className="pick">
                <PickAll selection={selection} shown={data?.data.length ?? 0} />
                {note}
              </th>
            )}
            <Head name="name" address={address}>
              {columns.name}
            </Head>
            <th className="opt">{columns.type}</th>
            <Head name="state" address={address}>
              {columns.state}
            </Head>
            <th>{columns.day}</th>
            <Head name="uptime" address={address} end>
              {columns.month}
            </Head>
            <Head name="p95" address={address} end className="opt">
              {columns.p95}
            </Head>
            <th className="end opt">{columns.checked}</th>
            {canPick && (
              <th className="row-act">
                <span className="sr">{columns.actions}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {data === undefined ? (
            <SkeletonRows rows={SKELETON_ROWS} widths={canPick ? PICK_WIDTHS : WIDTHS} />
          ) : (
            data.data.map((row) => (
              <MonitorRow
                key={row.id}
                row={row}
                canPick={canPick}
                selected={selection.has(row.id)}
                onToggle={selection.toggle}
                actions={actions}
              />
            ))
          )}
        </tbody>
      </table>
    </section>
  )
}

function PickAll({ selection, shown }: { selection: Selection; shown: number }) {
  const { length } = selection.selected
  return (
    <input
      type="checkbox"
      className="check"
      aria-label={select.page({ shown })}
      checked={shown > 0 && length === shown}
      ref={(box) => {
        if (box) box.indeterminate = length > 0 && length < shown
      }}
      onChange={selection.toggleAll}
    />
  )
}

type HeadProps = {
  name: string
  address: Props['address']
  end?: boolean
  className?: string
  children: ReactNode
}

/** Sorts by this column; clicking it again reverses the order. */
function Head({ name, address, end = false, className = '', children }: HeadProps) {
  const isSorted = address.sort === name
  const isReversed = address.reversed !== ''
  const search = (before: Address): Address => ({
    ...before,
    page: undefined,
    sort: name === 'state' ? undefined : name,
    reversed: isSorted && !isReversed ? '1' : undefined,
  })
  const { offlineSince } = useConnection()
  const Arrow = isReversed ? ChevronUp : ChevronDown
  return (
    <th
      className={`${end ? 'end' : ''} ${className}`}
      {...(isSorted && { 'aria-sort': isReversed ? 'ascending' : 'descending' })}
    >
      {offlineSince === undefined ? (
        <Link to="." search={search} activeProps={{ 'aria-current': undefined }}>
          {children}
          {isSorted && <Arrow className="icon sm" aria-hidden="true" />}
        </Link>
      ) : (
        children
      )}
    </th>
  )
}

function Nothing({ q }: Pick<Props['address'], 'q'>) {
  return (
    <section className="card">
      <Empty
        title={nothing.title}
        action={
          <ButtonLink to={PATHS.monitors} search={{}}>
            {nothing.action}
          </ButtonLink>
        }
      >
        {q === '' ? nothing.filter : nothing.search({ q })}
      </Empty>
    </section>
  )
}
