import { Check } from 'lucide-react'
import { maintenanceText } from '../../messages/publishing/maintenance.ts'
import {
  lengthMs,
  ownSpanLabel,
  spanLabel,
  spanOf,
  type WindowView,
} from '../../shared/maintenance-window.ts'
import { formatDuration } from '../../time/format.ts'
import { useNow } from '../../time/use-now.ts'
import { Button } from '../../ui/button.tsx'
import { Mark } from '../../ui/state.tsx'
import type { WindowActions } from './use-window-actions.tsx'
import '../../ui/event-head.css'
import './active-window.css'

const EXTENSIONS = [
  { minutes: 15, word: '15 min' },
  { minutes: 30, word: '30 min' },
  { minutes: 60, word: '1 h' },
]
const TEXT = maintenanceText.active

/** `actions` is undefined if the viewer may not use them. */
export function ActiveWindow({
  of,
  actions,
}: {
  of: WindowView
  actions: WindowActions | undefined
}) {
  const now = useNow(1000)
  const span = spanOf(of)
  const own = ownSpanLabel(span, now, of.timezone)
  const left = Math.max(0, Date.parse(span.endsAt) - now)
  const share = 100 - (100 * left) / lengthMs(span)
  return (
    <section className="inc-top is-maint active-win" aria-labelledby={of.id}>
      <div className="inc-line">
        <Mark state="MAINTENANCE" />
        <div className="wrap-any grow">
          <h2 id={of.id}>
            <bdi>{of.name}</bdi>
          </h2>
          <p>
            {spanLabel(span, now)}. {of.description}
          </p>
          {own && <p className="num">{own}</p>}
        </div>
        <div className="timer">
          <b>{formatDuration(left)}</b>
          <span>{TEXT.left({ total: formatDuration(lengthMs(span)) })}</span>
        </div>
      </div>
      <div
        className="elapsed"
        role="progressbar"
        aria-label={TEXT.elapsed}
        aria-valuenow={Math.round(share)}
        aria-valuemin={0}
        aria-valuemax={100}
      >
        <i style={{ width: `${share}%` }} />
      </div>
      {actions && <ActiveButtons of={of} actions={actions} />}
    </section>
  )
}

function ActiveButtons({ of, actions }: { of: WindowView; actions: WindowActions }) {
  const whyNot = of.recurrence === null ? undefined : TEXT.repeats
  return (
    <div className="row wrap win-act">
      <Button whyNot={whyNot} busy={actions.busy} onClick={() => actions.end(of)}>
        <Check className="icon" aria-hidden="true" />
        {TEXT.endNow}
      </Button>
      <span className="ext">
        <span className="label">{TEXT.extendBy}</span>
        <span className="btn-group" role="group" aria-label={TEXT.extendBy}>
          {EXTENSIONS.map(({ minutes, word }) => (
            <Button key={minutes} whyNot={whyNot} onClick={() => actions.extend(of, minutes)}>
              {word}
            </Button>
          ))}
        </span>
      </span>
      {whyNot !== undefined && <span className="hint">{whyNot}</span>}
    </div>
  )
}
