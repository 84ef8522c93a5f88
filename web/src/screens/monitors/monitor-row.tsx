import { Link } from '@tanstack/react-router'
import { CODES } from '../../../../src/domain/monitors/day-bars.ts'
import { PATHS } from '../../../../src/domain/values/dashboard-paths.ts'
import type { ItemOf } from '../../api/contract.ts'
import { TagList } from '../../shared/tag-list.tsx'
import { formatMs, formatUptime } from '../../time/figures.ts'
import { formatSpan } from '../../time/format.ts'
import { type BarCell, Bars } from '../../ui/bars.tsx'
import { appearanceOf, StateLabel } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import '../../ui/choice.css'
import './monitor-table.css'

type MonitorRowData = ItemOf<'GET /overview/monitors'>

const CELL_OF = new Map(Object.entries(CODES).map(([state, code]) => [code, state as BarCell]))

function uptimeBarCells(strip: string): BarCell[] {
  return [...strip].map((code) => CELL_OF.get(code) ?? 'NONE')
}

const SHOWN_TAGS = 2

type Props = {
  row: MonitorRowData
  selected: boolean
  onToggle: (id: string) => void
  canPick: boolean
}

export function MonitorRow({ row, selected, onToggle, canPick }: Props) {
  const { id, name, type, strip, uptime30d, p95Ms } = row
  return (
    <tr data-row={id} aria-selected={selected}>
      {canPick && (
        <td className="pick">
          <input
            type="checkbox"
            className="check"
            aria-label={`Select ${name}`}
            checked={selected}
            onChange={() => onToggle(id)}
          />
        </td>
      )}
      <td className="name">
        <div className="two">
          <span className="named">
            <Link to={PATHS.monitor} params={{ monitorId: id }} className="truncate" title={name}>
              <bdi>{name}</bdi>
            </Link>
            <TagList tags={row.tags} most={SHOWN_TAGS} />
          </span>
          <span className="truncate" title={targetLabel(row)}>
            {targetLabel(row)}
          </span>
        </div>
      </td>
      <td className="opt">
        <span className="type">{type}</span>
      </td>
      <td className="st">
        <RowState row={row} />
      </td>
      <td className="strip">
        <Bars
          cells={uptimeBarCells(strip)}
          label={`${name}, last 24 hours: ${appearanceOf(row.state).word.toLowerCase()} now`}
        />
      </td>
      <td className="num end up30">{formatUptime(uptime30d)}</td>
      <td className="num end opt">
        {p95Ms === null ? <span className="faint">–</span> : formatMs(p95Ms)}
      </td>
      <td className="end opt when">
        <div className="two to-end">
          <Time at={row.lastCheckedAt} as="ago" none="not yet" />
          <NextCheck row={row} />
        </div>
      </td>
    </tr>
  )
}

function targetLabel({ type, target, everySeconds }: MonitorRowData): string {
  return type === 'CRON' ? `a ping every ${formatSpan(everySeconds * 1000)}` : (target ?? '')
}

// For these the expiry date matters, so it replaces the word for up.
const WATCHES_EXPIRY: ReadonlySet<string> = new Set(['SSL', 'DOMAIN'])

function RowState({ row: { type, state, since, inMaintenance, expiry } }: { row: MonitorRowData }) {
  if (inMaintenance && state !== 'PAUSED') return <StateLabel state="MAINTENANCE" />
  if (state === 'UP' && expiry !== null && WATCHES_EXPIRY.has(type))
    return <StateLabel state="UP" word={`${expiry.daysLeft} days left`} />
  if (state === 'UP' || state === 'PENDING') return <StateLabel state={state} />
  return (
    <StateLabel state={state}>
      <Time at={since} as="since" />
    </StateLabel>
  )
}

function NextCheck({ row: { state, nextCheckAt, type } }: { row: MonitorRowData }) {
  if (state === 'PAUSED') return <span>paused</span>
  if (nextCheckAt === null) return <span>–</span>
  return (
    <span className="num">
      {type === 'CRON' ? 'due ' : 'next '}
      <Time at={nextCheckAt} as="until" />
    </span>
  )
}
