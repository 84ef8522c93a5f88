// When the next update follows: the choice beside a new update, and what was promised with the last one.
import { Clock } from 'lucide-react'
import { nextUpdateText as TEXT } from '../../../messages/publishing/incidents.ts'
import { formatMoment } from '../../../time/format.ts'
import { useNow } from '../../../time/use-now.ts'
import { SelectInput } from '../../../ui/inputs.tsx'
import { Mark } from '../../../ui/state.tsx'
import { MomentField } from './incident-fields.tsx'
import type { IncidentPartProps } from './incident-parts.tsx'
import {
  firstGuess,
  isOverdue,
  NEXT_UPDATE_CHOICES,
  type NextUpdateChoice,
} from './next-update-choice.ts'
import '../../../ui/form.css'

const OPTIONS = NEXT_UPDATE_CHOICES.map((value) => ({ value, label: TEXT.choices[value] }))

export function NextUpdatePart({ draft, set, at }: IncidentPartProps) {
  const { nextUpdate } = draft
  const problem = at('nextUpdateBy')
  const choose = (choice: NextUpdateChoice) =>
    set({ nextUpdate: { choice, at: choice === 'OWN' ? firstGuess(new Date()) : '' } })
  return (
    <div className="form-block form-2">
      <SelectInput<NextUpdateChoice>
        label={TEXT.label}
        hint={TEXT.hint}
        options={OPTIONS}
        value={nextUpdate.choice}
        onChange={choose}
        problem={nextUpdate.choice === 'OWN' ? undefined : problem}
      />
      {nextUpdate.choice === 'OWN' && (
        <MomentField
          label={TEXT.by}
          at={nextUpdate.at}
          onChange={(next) => set({ nextUpdate: { choice: 'OWN', at: next } })}
          problem={problem}
        />
      )}
    </div>
  )
}

/** Visitors see the promise only until it is due. */
export function PromisedUpdate({ by }: { by: string }) {
  const now = useNow(15_000)
  const moment = formatMoment(by, now)
  if (!isOverdue(by, now))
    return (
      <p className="notice">
        <Clock className="icon" aria-hidden="true" />
        {TEXT.promised({ moment })}
      </p>
    )
  return (
    <p className="notice is-degraded" role="status">
      <Mark state="DEGRADED" />
      <span>
        <b className="strong">{TEXT.overdue}</b> {TEXT.overdueAbout({ moment })}
      </span>
    </p>
  )
}
