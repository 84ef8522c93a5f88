import type { ResponseOf } from '../api/contract.ts'
import { trialText } from '../messages/monitors/trial.ts'
import { lowerFirst } from '../messages/sentence.ts'
import { formatMs } from '../time/figures.ts'
import { Mark } from '../ui/state.tsx'
import { causeSentence } from './cause-sentence.ts'
import './trial-result.css'

type Trial = ResponseOf<'POST /monitor-trials'>

const APPEARANCES = {
  OK: { tone: 'is-up', state: 'UP' },
  FAILED: { tone: 'is-down', state: 'DOWN' },
  INCONCLUSIVE: { tone: 'is-none', state: 'UNKNOWN' },
} as const

/** The result of one check, before anything is saved. */
export function TrialResult({ trial }: { trial: Trial }) {
  const { result, check } = trial
  const { tone, state } = APPEARANCES[result]
  const details = [
    [trialText.address, check.resolvedIp ?? undefined],
    [trialText.from, check.location],
  ] as const
  return (
    <div className="trial" role="status">
      <div className={`live ${tone}`}>
        <div className="live-top">
          <Mark state={state} />
          <p>
            <b className="strong">{sentenceOf(trial)}</b>
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

function sentenceOf({ result, check }: Trial): string {
  const { httpStatus, responseMs, cause } = check
  const status = httpStatus === null ? undefined : String(httpStatus)
  const took = responseMs === null ? undefined : formatMs(responseMs)
  if (result === 'OK') return upSentence(status, took)
  const reason = lowerFirst(causeSentence(cause ?? ''))
  return result === 'FAILED' ? trialText.down({ cause: reason }) : unknownSentence(reason)
}

function upSentence(status: string | undefined, took: string | undefined): string {
  const details = status && took ? trialText.upDetails({ status, took }) : (status ?? took)
  return details === undefined ? trialText.up : trialText.upWith({ details })
}

const unknownSentence = (cause: string) =>
  cause === '' ? trialText.unknown : trialText.unknownBecause({ cause })
