// The empty list: what it will show, and where to start.
import { Link } from '@tanstack/react-router'
import { PATHS } from '../../../../src/domain/values/dashboard-paths.ts'
import { useMay } from '../../session/organization.ts'
import { TYPES } from '../../shared/monitor-types.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Empty } from '../../ui/loading.tsx'
import '../../ui/type-cards.css'
import './first-visit.css'

export function FirstVisit() {
  const mayWrite = useMay('MEMBER')
  return (
    <section className="card">
      <Drawing />
      <Empty
        title="Nothing is watched yet"
        action={
          mayWrite && (
            <ButtonLink to={PATHS.welcome} kind="primary" size="lg">
              Start with an address
            </ButtonLink>
          )
        }
      >
        {mayWrite
          ? 'We look at it at once and show you the answer before anything is saved.'
          : 'Somebody who may change things here has to begin.'}
      </Empty>
      {mayWrite && <OtherTypes />}
    </section>
  )
}

/** Nine bars, with the vane above the highlighted one. */
function Drawing() {
  return (
    <svg className="first-drawing" viewBox="0 0 92 62" aria-hidden="true">
      {[0, 1, 2, 3, 5, 6, 7, 8].map((place) => (
        <rect key={place} x={place * 10.5 + 0.75} y="22" width="6.5" height="39" rx="1.5" />
      ))}
      <rect className="known" x="42" y="21" width="8" height="41" rx="1.5" />
      <path d="M46 0l6 12-6-3.4L40 12z" />
    </svg>
  )
}

function OtherTypes() {
  return (
    <div className="first-types">
      <p className="muted small">Or start with something else</p>
      <ul>
        {TYPES.map(({ type, word, about, icon: Icon }) => (
          <li key={type}>
            <Link to={PATHS.newMonitor} search={{ type }} className="type-card">
              <Icon className="icon" aria-hidden="true" />
              {word}
              <span className="hint">{about}</span>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  )
}
