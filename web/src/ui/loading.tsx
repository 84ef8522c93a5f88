// While something loads, when it failed, and when there is nothing: each takes the place of what comes.
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ApiProblem, messageOf } from '../api/problem.ts'
import { Button } from './button.tsx'
import { Mark } from './state.tsx'

/** A grey line the size of what comes. It shows after 200 ms (`skeleton-late`), so quick answers do not flicker. */
export function Skeleton({ width = '60%' }: { width?: string }) {
  return <span className="skeleton skeleton-late" style={{ width }} />
}

/** Rows of a table that is on its way: as many, as high and as wide as those that come. */
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

/** Until these are read, what stands below on the screen is not shown: it would have to leave its place. */
export function Wait({ until }: { until: readonly { isPending: boolean }[] }) {
  return until.some(({ isPending }) => isPending) && <div className="wait" aria-hidden="true" />
}

export function Failed({ error, retry }: { error: unknown; retry?: (() => void) | undefined }) {
  return (
    <div className="empty" role="alert">
      <span className="is-down tw:text-state">
        <Mark state="DOWN" className="lg" />
      </span>
      <h2>This could not be read</h2>
      <p>{messageOf(error)}</p>
      {retry && <Button onClick={retry}>Try again</Button>}
      {error instanceof ApiProblem && error.requestId !== '' && (
        <p className="hint mono">{error.requestId}</p>
      )}
    </div>
  )
}

type EmptyProps = { title: string; children?: ReactNode; action?: ReactNode }

/** What is missing, one sentence, one action. */
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
  /** As large as what comes. */
  loading: ReactNode
  children: (data: T) => ReactNode
}

/** The three ends of a read in one place. Old data stays while new data loads or fails to. */
export function Loaded<T>({ query, loading, children }: LoadedProps<T>) {
  if (query.data !== undefined) return children(query.data)
  if (query.error !== null) return <Failed error={query.error} retry={() => void query.refetch()} />
  return loading
}
