import { useQueryClient } from '@tanstack/react-query'
import { CloudOff, RefreshCw } from 'lucide-react'
import { useEffect, useLayoutEffect } from 'react'
import { checkConnection } from '../api/call.ts'
import { isOffline, useConnection } from '../api/connection.ts'
import { errorText } from '../messages/errors.ts'
import { toast } from '../session/toast.ts'
import { formatDuration, formatMoment } from '../time/format.ts'
import { useNow } from '../time/use-now.ts'
import { Button } from '../ui/button.tsx'
import { useHasAllParts } from '../ui/lazy.ts'
import { shownDataAt } from './shown-data.ts'
import './offline.css'

const RETRY_MS = 10_000
const text = errorText.offline

/** Says that updates have stopped, from when the shown data is, and what does not work until then. */
export function OfflineNotice() {
  const { offlineSince } = useConnection()
  const queries = useQueryClient()
  const now = useNow()
  useKeptFocus()
  useHeldForms()
  const hasAllParts = useHasAllParts()
  useEffect(() => {
    if (offlineSince === undefined) return
    const timer = setInterval(() => void queries.refetchQueries({ type: 'active' }), RETRY_MS)
    return () => clearInterval(timer)
  }, [offlineSince, queries])
  if (offlineSince === undefined) return null
  const shownAt = shownDataAt(queries.getQueryCache())
  return (
    <div className="lost" role="status">
      <span className="lost-mark">
        <CloudOff className="icon lg" aria-hidden="true" />
      </span>
      <div className="grow">
        <h2>{text.title({ duration: formatDuration(Math.max(1000, now - offlineSince)) })}</h2>
        <p>
          {shownAt !== undefined && `${text.shown({ clock: formatMoment(shownAt, now) })} `}
          {text.about} {hasAllParts ? text.off : text.allOff}
        </p>
      </div>
      <div className="lost-act">
        <Button onClick={() => void queries.refetchQueries({ type: 'active' })}>
          <RefreshCw className="icon" aria-hidden="true" />
          {text.retry}
        </Button>
      </div>
    </div>
  )
}

/** A filter or an action that is turned off gives its focus to the screen, and gets it back. Before the browser drops it. */
function useKeptFocus(): void {
  useLayoutEffect(() => {
    const held = document.activeElement?.closest<HTMLElement>('[inert] *')
    const main = document.querySelector<HTMLElement>('main')
    if (held === null || held === undefined) return
    main?.focus({ preventScroll: true })
    return () => {
      const isUnused = document.activeElement === main || document.activeElement === document.body
      if (isUnused && held.isConnected) held.focus({ preventScroll: true })
    }
  }, [])
}

/** A form is held, those of dialogs included, until it is known whether the server is back: it is sent, or what was typed stays. */
function useHeldForms(): void {
  const queries = useQueryClient()
  useEffect(() => {
    let isChecking = false
    const hold = (event: SubmitEvent) => {
      const { target: form, submitter } = event
      if (!isOffline() || !(form instanceof HTMLFormElement)) return
      event.preventDefault()
      event.stopPropagation()
      if (isChecking) return
      isChecking = true
      void checkConnection().then((isBack) => {
        isChecking = false
        if (!isBack) return toast(text.notSent, 'bad')
        void queries.refetchQueries({ type: 'active' }, { cancelRefetch: false })
        if (form.isConnected) form.requestSubmit(submitter?.isConnected ? submitter : null)
      })
    }
    window.addEventListener('submit', hold, { capture: true })
    return () => window.removeEventListener('submit', hold, { capture: true })
  }, [queries])
}
