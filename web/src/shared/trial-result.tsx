import type { ResponseOf } from '../api/contract.ts'
import { formatMs } from '../time/figures.ts'
import { Mark } from '../ui/state.tsx'
import './trial-result.css'

type Trial = ResponseOf<'POST /monitor-trials'>

const APPEARANCES = {
  OK: { tone: 'is-up', state: 'UP', word: 'It answers.' },
  FAILED: { tone: 'is-down', state: 'DOWN', word: 'This would be down.' },
  INCONCLUSIVE: { tone: 'is-none', state: 'UNKNOWN', word: 'We could not look.' },
} as const

/** The result of one check, before anything is saved. */
export function TrialResult({ trial: { result, check } }: { trial: Trial }) {
  const { tone, state, word } = APPEARANCES[result]
  const details = [
    ['Status', check.httpStatus === null ? undefined : String(check.httpStatus)],
    ['Took', check.responseMs === null ? undefined : formatMs(check.responseMs)],
    ['Address', check.resolvedIp ?? undefined],
    ['From', check.location],
  ] as const
  return (
    <div className="trial" role="status">
      <div className={`live ${tone}`}>
        <div className="live-top">
          <Mark state={state} />
          <p>
            <b className="strong">{word}</b> {check.cause}
          </p>
        </div>
        <dl className="live-facts">
          {details.map(([name, value]) =>
            value === undefined ? null : (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ),
          )}
        </dl>
      </div>
    </div>
  )
}
