import { Pause, Play, Trash2, Wrench, X } from 'lucide-react'
import { useState } from 'react'
import { formatCount, plural } from '../../time/figures.ts'
import { Confirm } from '../../ui/overlay/dialog.tsx'
import type { Selection } from '../../ui/selection.ts'
import { BulkMaintenance } from './bulk-maintenance.tsx'
import { useBulk } from './use-bulk.ts'
import './bulk-bar.css'

/** Appears with the first selection: count first, delete last, Escape clears. */
export function BulkBar({ selection }: { selection: Selection }) {
  const { selected, clear } = selection
  const [asking, setAsking] = useState<'delete' | 'maintenance'>()
  const close = () => setAsking(undefined)
  const finish = () => {
    close()
    clear()
    // The bar that had the focus is gone, so move the focus back to the list.
    requestAnimationFrame(() => focusRow(selected[0]))
  }
  const { run, busy } = useBulk(finish)
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
        <button type="button" disabled={isBusy} onClick={() => setAsking('maintenance')}>
          <Wrench className="icon" aria-hidden="true" />
          Maintenance
        </button>
        <button
          type="button"
          className="danger"
          disabled={isBusy}
          onClick={() => setAsking('delete')}
        >
          <Trash2 className="icon" aria-hidden="true" />
          Delete
        </button>
        <i />
        <button type="button" aria-label="Clear selection" onClick={clear}>
          <X className="icon stays" aria-hidden="true" />
        </button>
      </div>
      <Confirm
        open={asking === 'delete'}
        onClose={close}
        title={`Delete ${many}?`}
        about={
          selected.length === 1
            ? 'Removes it with all its checks and incidents. Status pages lose what stands for it. This cannot be undone.'
            : 'Removes them with all their checks and incidents. Status pages lose what stands for them. This cannot be undone.'
        }
        action={`Delete ${many}`}
        keep={selected.length === 1 ? 'Keep it' : 'Keep them'}
        busy={busy === 'delete'}
        run={() => void run('delete', selected)}
      />
      {asking === 'maintenance' && (
        <BulkMaintenance monitorIds={selected} onClose={close} onDone={finish} />
      )}
    </div>
  )
}

function focusRow(id: string | undefined): void {
  const row = document.querySelector<HTMLElement>(`[data-row="${CSS.escape(id ?? '')}"] a`)
  const place = row ?? document.querySelector<HTMLElement>('#main')
  place?.focus({ preventScroll: true })
}
