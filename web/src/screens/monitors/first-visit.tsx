// The empty list: what it will show, and where to start.
import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { PATHS } from '../../../../src/domain/values/dashboard-paths.ts'
import { firstVisitText as text } from '../../messages/monitors/first-visit.ts'
import { useMay } from '../../session/organization.ts'
import { TYPES } from '../../shared/monitor-types.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/loading.tsx'
import '../../ui/type-cards.css'
import './first-visit.css'

export function FirstVisit() {
  const mayWrite = useMay('MEMBER')
  return (
    <section className="card">
      <Drawing />
      <Empty title={text.title} action={mayWrite && <FirstUrl />}>
        {mayWrite ? text.about : text.readOnly}
      </Empty>
      {mayWrite && <OtherTypes />}
    </section>
  )
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Typed on the empty list. Unlike one in the address, no link from elsewhere can set it. */
    firstUrl?: string
  }
}

/** Continues in the set-up, which checks the URL at once, before it is saved. */
function FirstUrl() {
  const [url, setUrl] = useState('')
  const navigate = useNavigate()
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    // Not out of a menu that was opened meanwhile. On a touch screen the keyboard would cover half of the page.
    const isFree = document.activeElement?.matches('body, main') ?? true
    if (isFree && matchMedia('(pointer: fine)').matches)
      field.current?.focus({ preventScroll: true })
  }, [])
  return (
    <form
      className="first-url"
      onSubmit={(event) => {
        event.preventDefault()
        void navigate({
          to: PATHS.welcome,
          search: { step: 'monitor' },
          state: { firstUrl: url.trim() },
        })
      }}
    >
      <input
        ref={field}
        className="input tall"
        aria-label={text.url}
        inputMode="url"
        placeholder="https://example.com"
        spellCheck={false}
        maxLength={2048}
        value={url}
        onChange={(event) => setUrl(event.currentTarget.value)}
      />
      <Button type="submit" kind="primary" size="lg">
        {text.action}
      </Button>
    </form>
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
      <p className="muted small">{text.otherTypes}</p>
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
