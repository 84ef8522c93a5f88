import { useCallback, useMemo, useState } from 'react'

/** The selected rows. Rows that are no longer shown are not selected. */
export function useSelection(shown: readonly string[]) {
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set())
  const selected = useMemo(() => shown.filter((id) => picked.has(id)), [shown, picked])
  const toggle = useCallback((id: string) => {
    setPicked((before) => {
      const next = new Set(before)
      if (!next.delete(id)) next.add(id)
      return next
    })
  }, [])
  const clear = useCallback(() => setPicked(new Set()), [])
  const toggleAll = useCallback(() => {
    setPicked((before) => (shown.every((id) => before.has(id)) ? new Set() : new Set(shown)))
  }, [shown])
  return { selected, has: (id: string) => picked.has(id), toggle, toggleAll, clear }
}
export type Selection = ReturnType<typeof useSelection>
