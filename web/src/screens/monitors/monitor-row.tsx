import { Link } from '@tanstack/react-router'
import { BellOff } from 'lucide-react'
import { listedState } from '../../../../src/domain/monitors/list-order.ts'
import { PATHS } from '../../../../src/domain/values/dashboard-paths.ts'
import { monitorRowText as text } from '../../messages/monitor-row.ts'
import { silentText } from '../../messages/silent.ts'
import type { MonitorActions } from '../../session/use-monitor-actions.ts'
import { toBarCells } from '../../shared/bar-cells.ts'
import { expiryLabel, expiryTitle } from '../../shared/expiry.ts'
import { TagList } from '../../shared/tag-list.tsx'
import { formatMs } from '../../time/figures.ts'
import { Bars } from '../../ui/bars.tsx'
import { useOnlineOnly } from '../../ui/online-only.ts'
import { appearanceOf, StateLabel } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import { RowMenu } from './row-menu.tsx'
import { checkedLabel, type MonitorRowData, targetLabel, uptimeLabel } from './row-text.ts'
import '../../ui/choice.css'
import './monitor-table.css'

const SHOWN_TAGS = 2

type Props = {
  row: MonitorRowData
  selected: boolean
  onToggle: (id: string) => void
  canPick: boolean
  actions: MonitorActions
}

export function MonitorRow({ row, selected, onToggle, canPick, actions }: Props) {
  const { id, name, type, strip, p95Ms } = row
  const uptime = uptimeLabel(row)
  const onlineOnly = useOnlineOnly()
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
            {row.alerting !== 'ON' && row.state !== 'PAUSED' && (
              <span className="silent-mark is-degraded" title={silentText.row}>
                <BellOff className="icon sm" aria-hidden="true" />
                <span className="sr">{silentText.row}</span>
              </span>
            )}
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
      <td className="st" title={expiryTitle(row)}>
        <RowState row={row} />
      </td>
      <td className="strip">
        <Bars
          cells={toBarCells(strip)}
          label={text.bar({ name, state: appearanceOf(listedState(row)).word.toLowerCase() })}
        />
      </td>
      <td className="num end up30" title={uptime.title}>
        {uptime.figure}
      </td>
      <td className="num end opt">
        {p95Ms === null ? <span className="faint">–</span> : formatMs(p95Ms)}
      </td>
      <td className="end opt when">
        <Time {...checkedLabel(row)} as="minutesAgo" />
      </td>
      {canPick && (
        <td className="row-act" {...onlineOnly}>
          <RowMenu {...menuOf(row)} actions={actions} />
        </td>
      )}
    </tr>
  )
}

function menuOf({ id, name, type, state, openIncident }: MonitorRowData) {
  const unacknowledgedId = openIncident?.acknowledged === false ? openIncident.id : null
  return { id, name, type, state, unacknowledgedId }
}

function RowState({ row }: { row: MonitorRowData }) {
  const { state, since, inMaintenance } = row
  if (inMaintenance && state !== 'PAUSED') return <StateLabel state="MAINTENANCE" />
  const expiry = expiryLabel(row)
  if (expiry !== undefined) return <StateLabel {...expiry} />
  if (state === 'UP' || state === 'PENDING') return <StateLabel state={state} />
  // Only for what is down do seconds matter.
  return (
    <StateLabel state={listedState(row)}>
      <Time at={since} as={state === 'DOWN' ? 'since' : 'minutes'} />
    </StateLabel>
  )
}
