import { useNavigate } from '@tanstack/react-router'
import { Eye } from 'lucide-react'
import { useState } from 'react'
import { PATHS } from '../../../../../src/domain/values/dashboard-paths.ts'
import { editorText as TEXT } from '../../../messages/publishing/status-page-editor.ts'
import { previewText } from '../../../messages/publishing/status-pages.ts'
import { useShortcuts } from '../../../session/keyboard.ts'
import { toast } from '../../../session/toast.ts'
import { useWrite } from '../../../session/use-api.ts'
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
  /** Also saves what was changed. */
  onPublish: () => void
  onDiscard: () => void
}

export function EditorHead({ page }: { page: StatusPageView | undefined }) {
  return (
    <div className="page-head editor-head">
      {page === undefined ? (
        <div>
          <h1>{TEXT.newTitle}</h1>
          <p>{TEXT.newAbout}</p>
        </div>
      ) : (
        <PageTitle page={page} />
      )}
    </div>
  )
}

export function SaveBar({ page, count, busy, onSave, onPublish, onDiscard }: HeadProps) {
  const isIdle = page !== undefined && count === 0
  const isDraft = page?.published === false
  useShortcuts(
    isIdle ? [] : [{ keys: 's', label: TEXT.saveShortcut, group: 'This screen', run: onSave }],
  )
  return (
    <div className={isIdle && !isDraft ? 'editor-save idle' : 'editor-save'}>
      {count > 0 && page !== undefined && (
        <>
          <span className="unsaved" role="status">
            {TEXT.unsaved({ count })}
          </span>
          <Button kind="ghost" onClick={onDiscard}>
            {TEXT.discard}
          </Button>
        </>
      )}
      <Button
        {...(!isDraft && { kind: 'primary' as const })}
        busy={busy}
        whyNot={isIdle ? TEXT.nothingChanged : undefined}
        onClick={onSave}
      >
        {page === undefined ? TEXT.create : TEXT.save}
      </Button>
      {isDraft && (
        <Button kind="primary" busy={busy} onClick={onPublish}>
          {TEXT.publish}
        </Button>
      )}
    </div>
  )
}

export function DeletePage({ page }: { page: StatusPageView }) {
  const [asks, setAsks] = useState(false)
  const navigate = useNavigate()
  const remove = useWrite('DELETE /status-pages/{statusPageId}', {
    onDone: () => {
      toast(TEXT.deleting.done({ name: page.name }))
      void navigate({ to: PATHS.statusPages, ignoreBlocker: true })
    },
  })
  return (
    <section className="card danger-card" aria-labelledby="h-delete">
      <div className="card-body row between wrap">
        <div>
          <h2 id="h-delete">{TEXT.deleting.title}</h2>
          <p className="muted small">{TEXT.deleting.about}</p>
        </div>
        <Button kind="danger" onClick={() => setAsks(true)}>
          {TEXT.deleting.button}
        </Button>
      </div>
      <Confirm
        open={asks}
        onClose={() => setAsks(false)}
        title={TEXT.deleting.confirm({ name: page.name })}
        about={TEXT.deleting.confirmAbout({ subscribers: page.subscribers })}
        action={TEXT.deleting.action}
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
      {previewText.jump}
    </a>
  )
}
