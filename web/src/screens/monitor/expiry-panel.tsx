import { monitorText } from '../../messages/monitor.ts'
import { issuerLabel, timeLeftLabel } from '../../shared/expiry.ts'
import { formatDay } from '../../time/format.ts'
import { remainingBar } from './by-type.ts'
import type { MonitorScreen } from './monitor-screen.ts'
import './expiry-panel.css'

const text = monitorText.expiry
const LENGTH = 1000

type Props = {
  expiry: NonNullable<MonitorScreen['expiry']>
  at: string
  /** The sentence above says the day already. */
  hasDay: boolean
}

function toneOf({ expired, soon }: Props['expiry']): string {
  if (expired) return 'is-down'
  return soon ? 'is-degraded' : 'is-up'
}

/** How long a certificate or a registration lasts, and who issued it, over a bar that ends with the expiry. */
export function ExpiryPanel({ expiry, at, hasDay }: Props) {
  const { warnDays, expired } = expiry
  const { scaleDays, left, warn } = remainingBar(expiry)
  const label = timeLeftLabel(expiry)
  const issuer = issuerLabel(expiry)
  return (
    <section className={`card card-body remaining ${toneOf(expiry)}`} aria-label={text.left}>
      <p className="remaining-days">
        <b>{label}</b>
        {!hasDay && (
          <span className="muted">
            {' '}
            · {(expired ? text.expiredOn : text.until)({ day: formatDay(expiry.at, at) })}
          </span>
        )}
        {issuer !== null && (
          <span className="muted">
            {' · '}
            <bdi>{issuer}</bdi>
          </span>
        )}
      </p>
      <svg
        viewBox={`0 0 ${LENGTH} 8`}
        preserveAspectRatio="none"
        role="img"
        aria-label={text.bar({ left: label, scale: text.scale({ days: scaleDays }) })}
      >
        <rect className="trk" width={LENGTH} height="8" rx="2" />
        <rect className="val" width={left * LENGTH} height="8" rx="2" />
        <rect className="warn" x={warn * LENGTH} width="3" height="8" />
      </svg>
      <div className="axis">
        <span>{text.warning({ days: warnDays })}</span>
        <span>{text.scale({ days: scaleDays })}</span>
      </div>
    </section>
  )
}
