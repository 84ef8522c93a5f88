import { replayText as TEXT } from '../../../messages/monitors/replay.ts'
import { formatCount } from '../../../time/figures.ts'
import { formatDuration, formatMoment } from '../../../time/format.ts'
import { useNow } from '../../../time/use-now.ts'
import type { ReplayResult } from './draft.ts'

type Totals = ReplayResult['current']

const ROWS: readonly [label: string, show: (totals: Totals) => string][] = [
  [TEXT.incidents, ({ incidents }) => formatCount(incidents)],
  [TEXT.down, ({ downSeconds }) => formatDuration(downSeconds * 1000)],
  [TEXT.degradations, ({ degradations }) => formatCount(degradations)],
  [TEXT.alerts, ({ alerts }) => formatCount(alerts)],
]

export function ReplayResults({ of }: { of: ReplayResult }) {
  return (
    <section className="stack" aria-label={TEXT.result} aria-live="polite">
      <table className="table">
        <thead>
          <tr>
            <th>
              <span className="sr">{TEXT.result}</span>
            </th>
            <th>{TEXT.now}</th>
            <th>{TEXT.replayed}</th>
          </tr>
        </thead>
        <tbody>
          {ROWS.map(([label, show]) => (
            <tr key={label}>
              <td>{label}</td>
              <td className="num">{show(of.current)}</td>
              <td className="num">{show(of.replayed)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="hint">
        {TEXT.checks({ count: of.checks })} {!of.complete && TEXT.incomplete}
      </p>
      <Incidents of={of.incidents} />
    </section>
  )
}

function Incidents({ of }: { of: ReplayResult['incidents'] }) {
  const now = useNow(60_000)
  if (of.length === 0) return <p className="hint">{TEXT.none}</p>
  return (
    <>
      <h3 className="sub">{TEXT.list}</h3>
      <ul className="plain">
        {of.map(({ startedAt, resolvedAt, change }) => (
          <li key={`${startedAt} ${change}`}>
            {TEXT.lasts({
              from: formatMoment(startedAt, now),
              to: resolvedAt === null ? TEXT.open : formatMoment(resolvedAt, now),
            })}{' '}
            <b className="strong">{TEXT.changes[change]}</b>
          </li>
        ))}
      </ul>
    </>
  )
}
