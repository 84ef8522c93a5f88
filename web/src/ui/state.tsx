// A state is never shown by color alone: silhouette, word, then color.
import type { ReactNode } from 'react'
import './state.css'

type Appearance = { tone: string; mark: string; word: string; calm?: boolean }

const APPEARANCES = {
  DOWN: { tone: 'is-down', mark: 'down', word: 'Down' },
  DEGRADED: { tone: 'is-degraded', mark: 'degraded', word: 'Degraded' },
  /** Of what watches an expiry. */
  EXPIRING: { tone: 'is-degraded', mark: 'expiring', word: 'Expiring' },
  PENDING: { tone: 'is-none', mark: 'pending', word: 'Pending' },
  UP: { tone: 'is-up', mark: 'up', word: 'Up', calm: true },
  PAUSED: { tone: 'is-none', mark: 'paused', word: 'Paused' },
  MAINTENANCE: { tone: 'is-maint', mark: 'maint', word: 'Maintenance' },
  UNKNOWN: { tone: 'is-none', mark: 'none', word: 'No data' },
  OPERATIONAL: { tone: 'is-up', mark: 'up', word: 'Operational', calm: true },
  PARTIAL_OUTAGE: { tone: 'is-down', mark: 'partial', word: 'Partial outage' },
  MAJOR_OUTAGE: { tone: 'is-down', mark: 'down', word: 'Major outage' },
} as const satisfies Record<string, Appearance>

export type State = keyof typeof APPEARANCES

export const appearanceOf = (state: State): Appearance => APPEARANCES[state]

export function Mark({ state, className = '' }: { state: State; className?: string }) {
  const { mark } = APPEARANCES[state]
  const turning = mark === 'pending' ? ' pending' : ''
  return (
    <svg className={`mark${turning} ${className}`} aria-hidden="true">
      <use href={`#m-${mark}`} />
    </svg>
  )
}

/** `✕ Down 4 min`: the word can be replaced, and the text after it is gray. */
export function StateLabel({
  state,
  word,
  children,
}: {
  state: State
  word?: string | undefined
  children?: ReactNode
}) {
  const { tone, calm, word: own } = appearanceOf(state)
  return (
    <span className={`state ${tone}${calm ? ' calm' : ''}`}>
      <Mark state={state} />
      {word ?? own} {children !== undefined && <span className="for">{children}</span>}
    </span>
  )
}

/** The state as a small filled badge. */
export function StateBadge({ state, word }: { state: State; word?: string }) {
  const { tone, word: own } = appearanceOf(state)
  return (
    <span className={`badge tone ${tone}`}>
      <Mark state={state} />
      {word ?? own}
    </span>
  )
}
