// A resource that a configuration file manages: what it says beside it, and the warning on its form.
import { FileCode2 } from 'lucide-react'
import { managedByText as TEXT } from '../messages/managed-by.ts'
import { useRead } from '../session/use-api.ts'
import '../ui/notice.css'
import './managed-by.css'

export type Management = { source: string; address: string }

/** The API takes so many at once. */
const MOST = 100

/** By id, of those that a file manages. */
export function useManaged(ids: readonly string[]): ReadonlyMap<string, Management> {
  const id = ids.slice(0, MOST)
  const read = useRead('GET /managed-resources', { query: { id } }, { enabled: id.length > 0 })
  return new Map((read.data?.data ?? []).map((one) => [one.id, one]))
}

/** Nothing if no file manages it. */
export function ManagedBy({ of }: { of: Management | undefined }) {
  if (of === undefined) return null
  return (
    <span className="managed-by" title={TEXT.at({ address: of.address })}>
      <FileCode2 className="icon sm" aria-hidden="true" />
      <span className="wrap-any">{TEXT.label({ source: of.source })}</span>
    </span>
  )
}

export function ManagedById({ id }: { id: string }) {
  return <ManagedBy of={useManaged([id]).get(id)} />
}

/** On the form that edits it. */
export function ManagedNotice({ id }: { id: string }) {
  const of = useManaged([id]).get(id)
  if (of === undefined) return null
  return (
    <div className="notice managed-notice" role="note">
      <FileCode2 className="icon" aria-hidden="true" />
      <div className="grow">
        <strong className="wrap-any">{TEXT.label({ source: of.source })}</strong>
        <p className="wrap-any">{TEXT.warning({ source: of.source })}</p>
        <p className="hint wrap-any">{TEXT.at({ address: of.address })}</p>
      </div>
    </div>
  )
}
