// Placeholders for loading, failed and empty content.
import type { UseQueryResult } from '@tanstack/react-query'
import { CloudOff } from 'lucide-react'
import type { ReactNode } from 'react'
import { ApiProblem, messageOf } from '../api/problem.ts'
import { errorText } from '../messages/errors.ts'
import { Button } from './button.tsx'
import './loading.css'

/** A gray line the size of the content. It appears after 200 ms (`skeleton-late`), so fast responses do not flicker. */
export function Skeleton({ width = '60%' }: { width?: string }) {
  return <span className="skeleton skeleton-late" style={{ width }} />
}

/** Placeholder rows of a table: same number, height and width as the real ones. */
export function SkeletonRows({ rows, widths }: { rows: number; widths: readonly string[] }) {
  const cells = widths.map((width, index) => ({ width, key: `${index}` }))
  return Array.from({ length: rows }, (_, row) => `row-${row}`).map((row) => (
    <tr key={row} aria-hidden="true">
      {cells.map(({ width, key }) => (
        <td key={key}>{width !== '' && <Skeleton width={width} />}</td>
      ))}
    </tr>
  ))
}

/** Hides the content below until these reads finish, because it would move. */
export function Wait({ until }: { until: readonly { isPending: boolean }[] }) {
  return until.some(({ isPending }) => isPending) && <div className="wait" aria-hidden="true" />
}

export function Failed({ error, retry }: { error: unknown; retry?: (() => void) | undefined }) {
  return (
    <div className="empty" role="alert">
      <CloudOff className="icon lg" aria-hidden="true" />
      <h2>{errorText.notLoaded}</h2>
      <p>{messageOf(error)}</p>
      {retry && <Button onClick={retry}>{errorText.tryAgain}</Button>}
      {error instanceof ApiProblem && error.requestId !== '' && (
        <p className="hint mono">{error.requestId}</p>
      )}
    </div>
  )
}

type EmptyProps = { title: string; children?: ReactNode; action?: ReactNode }

/** A title, one sentence, one action. */
export function Empty({ title, children, action }: EmptyProps) {
  return (
    <div className="empty">
      <h2>{title}</h2>
      {children !== undefined && <p>{children}</p>}
      {action}
    </div>
  )
}

type LoadedProps<T> = {
  query: UseQueryResult<T>
  /** Same size as the loaded content. */
  loading: ReactNode
  children: (data: T) => ReactNode
}

/** Handles loading, failure and success of a read. Old data stays while new data loads or fails. */
export function Loaded<T>({ query, loading, children }: LoadedProps<T>) {
  if (query.data !== undefined) return children(query.data)
  if (query.error !== null) return <Failed error={query.error} retry={() => void query.refetch()} />
  return loading
}
