// Small changes as they happen. Without the stream (an older server, a proxy that cuts it) screens still read
// anew by themselves, only later.
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'

const RETRY_MS = 30_000
// Checks land all the time: what is shown is read anew at most this often.
const GATHER_MS = 2000

/** Reads anew what is shown of the organization when the server says that something changed. */
export function useStream(organizationId: string): void {
  const queries = useQueryClient()
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const readAnew = () => {
      // Many changes at once are one reading.
      timer ??= setTimeout(() => {
        timer = undefined
        void queries.invalidateQueries({ queryKey: [organizationId] })
      }, GATHER_MS)
    }
    const close = openStream(
      `/app/api/organizations/${encodeURIComponent(organizationId)}/stream`,
      readAnew,
    )
    return () => {
      clearTimeout(timer)
      close()
    }
  }, [organizationId, queries])
}

/** Listens until it is told to stop. A browser gives up on a refusal, so a refused stream is tried again later. */
export function openStream(address: string, onChange: () => void): () => void {
  let source: EventSource | undefined
  let retry: ReturnType<typeof setTimeout> | undefined
  const open = () => {
    source = new EventSource(address)
    source.addEventListener('changes', onChange)
    source.addEventListener('reset', onChange)
    source.onerror = () => {
      if (source?.readyState === EventSource.CLOSED) retry = setTimeout(open, RETRY_MS)
    }
  }
  open()
  return () => {
    clearTimeout(retry)
    source?.close()
  }
}
