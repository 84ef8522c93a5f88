// The settings of a page on the left, and a preview with unsaved changes on the right.
import { useBlocker, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { PAGE_SETTINGS } from '../../../../../src/domain/status-pages/status-page.ts'
import { PATHS } from '../../../../../src/domain/values/dashboard-paths.ts'
import { isProblem, problemAt } from '../../../api/problem.ts'
import {
  pageSentences,
  editorText as TEXT,
} from '../../../messages/publishing/status-page-editor.ts'
import { previewText, statusPagesText } from '../../../messages/publishing/status-pages.ts'
import { useMay } from '../../../session/organization.ts'
import { toast } from '../../../session/toast.ts'
import { useRead, useWrite } from '../../../session/use-api.ts'
import { useDefaultZone } from '../../../shared/default-zone.ts'
import { Button } from '../../../ui/button.tsx'
import { FormProblems } from '../../../ui/field.tsx'
import { Loaded, Skeleton } from '../../../ui/loading.tsx'
import { ItemNotFound } from '../../../ui/not-found.tsx'
import { Confirm } from '../../../ui/overlay/dialog.tsx'
import { Page } from '../../../ui/page.tsx'
import { Mark } from '../../../ui/state.tsx'
import { useFocusProblem } from '../../../ui/use-focus-problem.ts'
import { CRUMBS, plainAddress, type StatusPageView } from '../page.ts'
import { PageTabs } from '../page-head.tsx'
import { Preview, useDrawing } from '../preview.tsx'
import { Access } from './access.tsx'
import { Address } from './address.tsx'
import { DeletePage, EditorHead, PreviewJump, SaveBar } from './editor-head.tsx'
import { Embed } from './embed.tsx'
import { Basics, Brand, History } from './fields.tsx'
import { Ledger } from './ledger.tsx'
import { ReadPage } from './read-page.tsx'
import * as settings from './settings.ts'
import { Tree } from './tree.tsx'
import '../../../ui/notice.css'
import './editor.css'

const FIELDS = [...PAGE_SETTINGS, 'password', 'sections']

export function NewStatusPage() {
  const zone = useDefaultZone()
  const [blank] = useState(() => settings.blankPage(zone))
  const may = useMay('MEMBER')
  const navigate = useNavigate()
  const create = useWrite('POST /status-pages', {
    inForm: true,
    onDone: ({ id, name, published }) => {
      toast(published ? TEXT.published({ name }) : TEXT.created({ name }))
      void navigate({
        to: PATHS.statusPage,
        params: { statusPageId: id },
        ignoreBlocker: true,
      })
    },
  })
  const save = (draft: settings.StatusPageDraft) => create.mutate({ body: toCreate(blank, draft) })
  if (!may) return <ItemNotFound what="statusPage" back={PATHS.statusPages} />
  return <Editor page={blank} save={save} busy={create.isPending} error={create.error} saves={0} />
}

function toCreate(blank: settings.Blank, draft: settings.StatusPageDraft) {
  const { passwordProtected: _, sections: __, ...first } = blank
  const { slug, ...body } = { ...first, ...settings.changesOf(blank, draft).body }
  // Safe because only supported languages are offered.
  const typed = body as typeof body & { locale: 'en' }
  return slug === '' ? typed : { ...typed, slug }
}

export function EditStatusPage() {
  const { statusPageId = '' } = useParams({ strict: false })
  const may = useMay('MEMBER')
  const read = useRead('GET /overview/status-pages/{statusPageId}', { params: { statusPageId } })
  if (isProblem(read.error, 'not_found'))
    return <ItemNotFound what="statusPage" back={PATHS.statusPages} />
  if (read.data === undefined)
    return (
      <Page title={statusPagesText.one} crumbs={CRUMBS}>
        <Loaded query={read} loading={<Skeleton width="40%" />}>
          {() => null}
        </Loaded>
      </Page>
    )
  const reload = () => read.refetch()
  return may ? (
    <Existing key={read.data.id} page={read.data} reload={reload} />
  ) : (
    <ReadPage page={read.data} />
  )
}

type ExistingProps = { page: StatusPageView; reload: () => Promise<unknown> }

function Existing({ page, reload }: ExistingProps) {
  const [saved, setSaved] = useState(0)
  const [isSettling, setIsSettling] = useState(false)
  const change = useWrite('PATCH /status-pages/{statusPageId}', {
    inForm: true,
    onDone: ({ name, published }) => {
      const isNew = published && !page.published
      toast(isNew ? TEXT.published({ name }) : published ? TEXT.saved : TEXT.created({ name }))
      setIsSettling(true)
      // Keep the draft until the saved page is loaded, so nothing flips back for a moment.
      void reload().then(() => {
        setIsSettling(false)
        setSaved((before) => before + 1)
      })
    },
  })
  const save = (draft: settings.StatusPageDraft) =>
    change.mutate({
      params: { statusPageId: page.id },
      body: settings.changesOf(page, draft).body,
    })
  const busy = change.isPending || isSettling
  return <Editor page={page} save={save} busy={busy} error={change.error} saves={saved} />
}

type EditorProps = {
  page: settings.Base
  save: (draft: settings.StatusPageDraft) => void
  busy: boolean
  error: unknown
  /** Counts saves: each one discards the draft. */
  saves: number
}

function Editor({ page, save, busy, error, saves }: EditorProps) {
  useFocusProblem(error)
  const [draft, setDraft] = useDraft(saves)
  const shown = settings.shownSettings(page, draft)
  const { count } = settings.changesOf(page, draft)
  const drawing = useDrawing('POST /status-page-drafts', settings.drawnOf(page, draft))
  const at = problemsOf(error)
  const set = (change: Partial<settings.Settings>) =>
    setDraft((before) => ({ ...before, settings: { ...before.settings, ...change } }))
  const parts = { settings: shown, set, at }
  const saved = settings.isSaved(page) ? page : undefined
  const title = saved?.name ?? TEXT.newTitle
  return (
    <Page title={title} crumbs={CRUMBS} head={<EditorHead page={saved} />}>
      <SaveBar
        page={saved}
        count={count}
        busy={busy}
        onSave={() => save(draft)}
        onPublish={() => save({ ...draft, settings: { ...draft.settings, published: true } })}
        onDiscard={() => setDraft(() => settings.NO_DRAFT)}
      />
      {saved && <PageTabs page={saved} current="EDITOR" />}
      <FormProblems error={error} fields={FIELDS} />
      <ChangedElsewhere
        when={!busy && settings.isStale(page, draft)}
        onAccept={() => setDraft(({ settings: own }) => ({ settings: own }))}
      />
      <div className="editor">
        <div className="edit-col">
          <PreviewJump />
          <Jumps isSaved={saved !== undefined} />
          <Basics {...parts} autoFocus={saved === undefined} />
          <Tree
            page={saved}
            isDirty={count > 0}
            structure={settings.shownStructure(page, draft)}
            change={(structure) =>
              setDraft((before) => settings.withStructure(page, before, structure))
            }
            at={at}
          />
          <Brand {...parts} />
          <History {...parts} />
          <Address {...parts} page={page} />
          <Access {...parts} passwordProtected={page.passwordProtected} />
          {saved && (
            <>
              <Ledger page={saved} />
              <Embed page={saved} />
              <DeletePage page={saved} />
            </>
          )}
        </div>
        <Preview
          title={previewText.of({ title })}
          address={saved ? plainAddress(saved.url) : shown.slug || previewText.notSaved}
          drawing={drawing}
          note={count > 0 && <span className="badge">{previewText.withChanges}</span>}
        />
      </div>
      <Leaving dirty={count > 0 && !busy} />
    </Page>
  )
}

/** The problem of a field in the form's own words. Fields at different positions of a list share theirs. */
const problemsOf = (error: unknown) => (path: string) => {
  const parts = path.split('.').map((part) => (Number.isNaN(Number(part)) ? part : '*'))
  const row = pageSentences[parts.join('.')]
  return problemAt(error, path, row === undefined ? {} : { [path]: row })
}

const PARTS = Object.entries(TEXT.parts)

/** Links to the cards below, which are several screens high. */
function Jumps({ isSaved }: { isSaved: boolean }) {
  return (
    <nav className="tabs part-tabs" aria-label={TEXT.sections}>
      {PARTS.filter(([id]) => isSaved || (id !== 'embed' && id !== 'ledger')).map(([id, word]) => (
        <a key={id} href={`#${id}`}>
          {word}
        </a>
      ))}
    </nav>
  )
}

/** Unsaved changes, until the next save. */
function useDraft(saves: number) {
  const [{ draft, since }, setKept] = useState({ draft: settings.NO_DRAFT, since: saves })
  if (since !== saves) setKept({ draft: settings.NO_DRAFT, since: saves })
  const setDraft = (change: (before: settings.StatusPageDraft) => settings.StatusPageDraft) =>
    setKept((kept) => ({ ...kept, draft: change(kept.draft) }))
  return [draft, setDraft] as const
}

/** Two people edit one page: the last to save must know about the other's changes. */
function ChangedElsewhere({ when, onAccept }: { when: boolean; onAccept: () => void }) {
  if (!when) return null
  return (
    <div className="notice is-degraded" role="alert">
      <Mark state="DEGRADED" />
      <p className="grow">{TEXT.changedElsewhere}</p>
      <Button size="sm" onClick={onAccept}>
        {TEXT.useTheirs}
      </Button>
    </div>
  )
}

/** Asks before unsaved changes are lost. */
function Leaving({ dirty }: { dirty: boolean }) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => dirty && current.pathname !== next.pathname,
    enableBeforeUnload: dirty,
    withResolver: true,
  })
  return (
    <Confirm
      open={blocker.status === 'blocked'}
      onClose={() => blocker.reset?.()}
      {...TEXT.leaving}
      run={() => blocker.proceed?.()}
    />
  )
}
