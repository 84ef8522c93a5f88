import { type LucideIcon, Pause, Pencil, Play, Trash2, Wrench, X } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { monitorsText } from '../../messages/monitors/monitors.ts'
import { useOnlineOnly } from '../../ui/online-only.ts'
import { Confirm } from '../../ui/overlay/dialog.tsx'
import type { Selection } from '../../ui/selection.ts'
import { asChange, type BulkTarget, countOf, useBulk } from './use-bulk.ts'
import './bulk-bar.css'

const BulkMaintenance = lazy(() =>
  import('./bulk-maintenance.tsx').then((m) => ({ default: m.BulkMaintenance })),
)
const { bulk: text, deleting } = monitorsText

const BulkEdit = lazy(() => import('./bulk-edit.tsx').then((m) => ({ default: m.BulkEdit })))

type Props = {
  selection: Selection
  target: BulkTarget
  /** Whether one of the shown and selected monitors is down. */
  hasDown: boolean
  /** Ends "all that match". */
  onClear: () => void
}

/** Appears with the first selection: count first, delete last, Escape clears. */
export function BulkBar({ selection, target, hasDown, onClear }: Props) {
  const { selected } = selection
  const [asking, setAsking] = useState<'delete' | 'maintenance' | 'edit'>()
  const clear = () => {
    selection.clear()
    onClear()
  }
  const close = () => setAsking(undefined)
  const finish = () => {
    close()
    clear()
    // The bar that had the focus is gone, so move the focus back to the list.
    requestAnimationFrame(() => focusRow(selected[0]))
  }
  const { run, progress } = useBulk(finish, hasDown)
  const onlineOnly = useOnlineOnly()
  if (selected.length === 0) return null
  const count = countOf(target)
  const isBusy = progress !== undefined
  return (
    <div className="bulk-wrap" {...onlineOnly}>
      <div className="bulk" role="toolbar" aria-label={text.toolbar({ count })}>
        <Count count={count} progress={progress} />
        <i />
        <Act icon={Pause} disabled={isBusy} onClick={() => void run([asChange('PAUSE')], target)}>
          {text.pause}
        </Act>
        <Act icon={Play} disabled={isBusy} onClick={() => void run([asChange('RESUME')], target)}>
          {text.resume}
        </Act>
        <Act icon={Pencil} disabled={isBusy} onClick={() => setAsking('edit')}>
          {text.edit}
        </Act>
        <Act icon={Wrench} disabled={isBusy} onClick={() => setAsking('maintenance')}>
          {text.maintenance}
        </Act>
        <Act icon={Trash2} danger disabled={isBusy} onClick={() => setAsking('delete')}>
          {text.delete}
        </Act>
        <i />
        <button type="button" aria-label={text.clear} onClick={clear}>
          <X className="icon stays" aria-hidden="true" />
        </button>
      </div>
      <ConfirmDelete
        open={asking === 'delete'}
        count={count}
        busy={isBusy}
        onClose={close}
        run={() => void run([asChange('DELETE')], target)}
      />
      {asking === 'maintenance' && (
        <Suspense>
          <BulkMaintenance target={target} onClose={close} onDone={finish} />
        </Suspense>
      )}
      {asking === 'edit' && (
        <Suspense>
          <BulkEdit
            count={count}
            busy={isBusy}
            onClose={close}
            onSave={(changes) => void run(changes, target)}
          />
        </Suspense>
      )}
    </div>
  )
}

type CountProps = { count: number; progress: { total: number; left: number } | undefined }

function Count({ count, progress }: CountProps) {
  return (
    <span className="num" aria-live="polite">
      {progress === undefined
        ? text.selected({ count })
        : text.progress({ done: progress.total - progress.left, total: progress.total })}
    </span>
  )
}

type ActProps = {
  icon: LucideIcon
  danger?: boolean
  disabled: boolean
  onClick: () => void
  children: string
}

function Act({ icon: Icon, danger = false, disabled, onClick, children }: ActProps) {
  return (
    <button
      type="button"
      {...(danger && { className: 'danger' })}
      disabled={disabled}
      onClick={onClick}
    >
      <Icon className="icon" aria-hidden="true" />
      {children}
    </button>
  )
}

type ConfirmProps = {
  open: boolean
  count: number
  busy: boolean
  onClose: () => void
  run: () => void
}

function ConfirmDelete({ count, ...dialog }: ConfirmProps) {
  return (
    <Confirm
      {...dialog}
      title={deleting.title({ count })}
      about={deleting.about({ count })}
      action={deleting.action({ count })}
      keep={deleting.keep({ count })}
    />
  )
}

function focusRow(id: string | undefined): void {
  const row = document.querySelector<HTMLElement>(`[data-row="${CSS.escape(id ?? '')}"] a`)
  const place = row ?? document.querySelector<HTMLElement>('#main')
  place?.focus({ preventScroll: true })
}
