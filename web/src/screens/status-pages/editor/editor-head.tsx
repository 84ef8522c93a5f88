import { useNavigate } from '@tanstack/react-router'
import { Eye } from 'lucide-react'
import { useState } from 'react'
import { PATHS } from '../../../../../src/domain/values/dashboard-paths.ts'
import { useShortcuts } from '../../../session/keyboard.ts'
import { toast } from '../../../session/toast.ts'
import { useWrite } from '../../../session/use-api.ts'
import { plural } from '../../../time/figures.ts'
import { Button } from '../../../ui/button.tsx'
import { Confirm } from '../../../ui/overlay/dialog.tsx'
import type { StatusPageView } from '../page.ts'
import { PageTitle } from '../page-head.tsx'
import '../page-head.css'
import './editor.css'

type HeadProps = {
  page: StatusPageView | undefined
  count: number
  busy: boolean
  onSave: () => void
  onDiscard: () => void
}

export function EditorHead({ page }: { page: StatusPageView | undefined }) {
  return (
    <div className="page-head editor-head">
      {page === undefined ? (
        <div>
          <h1>New status page</h1>
          <p>Nobody sees it before you create it.</p>
        </div>
      ) : (
        <PageTitle page={page} />
      )}
    </div>
  )
}

export function SaveBar({ page, count, busy, onSave, onDiscard }: HeadProps) {
  const isIdle = page !== undefined && count === 0
  useShortcuts(
    isIdle ? [] : [{ keys: 's', label: 'Save the page', group: 'This screen', run: onSave }],
  )
  return (
    <div className={isIdle ? 'editor-save idle' : 'editor-save'}>
      {count > 0 && page !== undefined && (
        <>
          <span className="unsaved" role="status">
            {plural(count, 'change')} not saved
          </span>
          <Button kind="ghost" onClick={onDiscard}>
            Discard
          </Button>
        </>
      )}
      <Button
        kind="primary"
        busy={busy}
        whyNot={isIdle ? 'Nothing was changed.' : undefined}
        onClick={onSave}
      >
        {page === undefined ? 'Create status page' : 'Save changes'}
      </Button>
    </div>
  )
}

export function DeletePage({ page }: { page: StatusPageView }) {
  const [asks, setAsks] = useState(false)
  const navigate = useNavigate()
  const remove = useWrite('DELETE /status-pages/{statusPageId}', {
    onDone: () => {
      toast(`${page.name} is deleted.`)
      void navigate({ to: PATHS.statusPages, ignoreBlocker: true })
    },
  })
  const subscribers = plural(page.subscribers, 'subscriber')
  return (
    <section className="card danger-card" aria-labelledby="h-delete">
      <div className="card-body row between wrap">
        <div>
          <h2 id="h-delete">Delete this page</h2>
          <p className="muted small">Its address answers 404 from then on. Monitors stay.</p>
        </div>
        <Button kind="danger" onClick={() => setAsks(true)}>
          Delete…
        </Button>
      </div>
      <Confirm
        open={asks}
        onClose={() => setAsks(false)}
        title={`Delete ${page.name}`}
        about={`Removes the page with its ${subscribers}, and published incidents that stand on this page alone. Monitors and their history stay.`}
        action="Delete status page"
        busy={remove.isPending}
        run={() => remove.mutate({ params: { statusPageId: page.id } })}
      />
    </section>
  )
}

/** Shown where the preview is below the fields and would be hard to find. */
export function PreviewJump() {
  return (
    <a className="btn preview-jump" href="#preview">
      <Eye className="icon" aria-hidden="true" />
      See the preview
    </a>
  )
}
