import type { ReactNode } from 'react'
import type { ResponseOf } from '../../api/contract.ts'
import { settingsText } from '../../messages/settings.ts'
import { formatCount } from '../../time/figures.ts'
import './usage.css'

type Use = ResponseOf<'GET /'>['usage']

const LABELS = {
  monitors: 'Monitors',
  statusPages: 'Status pages',
  webhookEndpoints: 'Webhook endpoints',
  openWindows: 'Scheduled maintenance',
} as const
const NEAR = 0.8
const MARKS = {
  strong: (inside: ReactNode) => <b>{inside}</b>,
  faint: (inside: ReactNode) => <span className="faint">{inside}</span>,
}

export function Usage({ of }: { of: Use }) {
  return (
    <ul className="usage">
      {(Object.keys(LABELS) as (keyof typeof LABELS)[]).map((what) => (
        <OneUse key={what} word={LABELS[what]} {...of[what]} />
      ))}
    </ul>
  )
}

type OneUseProps = { word: string; used: number; limit: number | null }

function OneUse({ word, used, limit }: OneUseProps) {
  if (limit === null)
    return (
      <li>
        <div className="row between">
          <span>{word}</span>
          <span className="num">
            {settingsText.unlimited({ used: formatCount(used), ...MARKS })}
          </span>
        </div>
      </li>
    )
  const share = limit === 0 ? 1 : used / limit
  const percent = Math.min(100, share * 100)
  return (
    <li className={share >= NEAR ? 'is-degraded' : ''}>
      <div className="row between">
        <span>{word}</span>
        <span className="num">
          {settingsText.usedOf({ used: formatCount(used), limit: formatCount(limit), ...MARKS })}
        </span>
      </div>
      <div
        className="meter"
        role="meter"
        aria-label={word}
        aria-valuenow={used}
        aria-valuemin={0}
        aria-valuemax={limit}
      >
        <i style={{ width: `${percent}%` }} />
      </div>
      {share >= NEAR && (
        <span className="hint">
          {used < limit
            ? `${formatCount(limit - used)} left. After that you can't add more; existing ones keep running.`
            : "None left. You can't add more; existing ones keep running."}
        </span>
      )}
    </li>
  )
}
