import { Pause, Play, Trash2, X } from 'lucide-react'
import { useState } from 'react'
import { formatCount, plural } from '../../time/figures.ts'
import { Confirm } from '../../ui/dialog.tsx'
import type { Selection } from '../../ui/selection.ts'
import { useBulk } from './use-bulk.ts'

/** Appears with the first selection: count first, delete last, Escape clears. */
export function BulkBar({ selection }: { selection: Selection }) {
  const { selected, clear } = selection
  const [asking, setAsking] = useState(false)
  const { run, busy } = useBulk(() => {
    setAsking(false)
    clear()
  })
  if (selected.length === 0) return null
  const many = plural(selected.length, 'monitor')
  const isBusy = busy !== undefined
  return (
    <div className="bulk-wrap">
      <div className="bulk" role="toolbar" aria-label={`${many} selected`}>
        <span className="num">{formatCount(selected.length)} selected</span>
        <i />
        <button type="button" disabled={isBusy} onClick={() => void run('pause', selected)}>
          <Pause className="icon" aria-hidden="true" />
          Pause
        </button>
        <button type="button" disabled={isBusy} onClick={() => void run('resume', selected)}>
          <Play className="icon" aria-hidden="true" />
          Resume
        </button>
        <button type="button" className="danger" disabled={isBusy} onClick={() => setAsking(true)}>
          <Trash2 className="icon" aria-hidden="true" />
          Delete
        </button>
        <i />
        <button type="button" aria-label="Clear selection" onClick={clear}>
          <X className="icon stays" aria-hidden="true" />
        </button>
      </div>
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        title={`Delete ${many}?`}
        about="Removes them with all their checks and incidents. Status pages lose what stands for them. This cannot be undone."
        action={`Delete ${many}`}
        keep={selected.length === 1 ? 'Keep it' : 'Keep them'}
        busy={busy === 'delete'}
        run={() => void run('delete', selected)}
      />
    </div>
  )
}
