import { useQueryClient } from '@tanstack/react-query'
import { CloudOff, RefreshCw } from 'lucide-react'
import { useEffect } from 'react'
import { useConnection } from '../api/connection.ts'
import { errorText } from '../messages/errors.ts'
import { formatDuration, formatMoment } from '../time/format.ts'
import { useNow } from '../time/use-now.ts'
import { Button } from '../ui/button.tsx'
import './offline.css'

const RETRY_MS = 10_000
const text = errorText.offline

/** Says that updates have stopped, from when the shown data is, and that checks continue without this page. */
export function OfflineNotice() {
  const { offlineSince, lastResponseAt } = useConnection()
  const queries = useQueryClient()
  const now = useNow()
  useEffect(() => {
    if (offlineSince === undefined) return
    const timer = setInterval(() => void queries.refetchQueries({ type: 'active' }), RETRY_MS)
    return () => clearInterval(timer)
  }, [offlineSince, queries])
  if (offlineSince === undefined) return null
  // A screen that is still loading shows no data.
  const isLoaded = !queries
    .getQueryCache()
    .findAll({ type: 'active' })
    .some(({ state }) => state.data === undefined)
  return (
    <div className="lost" role="status">
      <span className="lost-mark">
        <CloudOff className="icon lg" aria-hidden="true" />
      </span>
      <div className="grow">
        <h2>{text.title(formatDuration(Math.max(1000, now - offlineSince)))}</h2>
        <p>
          {isLoaded && `${text.shown(formatMoment(lastResponseAt, now))} `}
          {text.about}
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
