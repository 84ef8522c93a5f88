import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { PATHS } from '../../../../../src/domain/values/dashboard-paths.ts'
import { isProblem } from '../../../api/problem.ts'
import { listOf } from '../../../messages/list.ts'
import {
  incidentSentences,
  publishPartsText,
  publishText as TEXT,
} from '../../../messages/publishing/incidents.ts'
import { useMay } from '../../../session/organization.ts'
import { toast } from '../../../session/toast.ts'
import { useRead, useWrite } from '../../../session/use-api.ts'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { FormProblems, fieldsOf } from '../../../ui/field.tsx'
import { Empty, Loaded, Skeleton } from '../../../ui/loading.tsx'
import { ItemNotFound } from '../../../ui/not-found.tsx'
import { Page } from '../../../ui/page.tsx'
import { Mark } from '../../../ui/state.tsx'
import { useFocusProblem } from '../../../ui/use-focus-problem.ts'
import { CRUMBS, type StatusPageView } from '../page.ts'
import { pagesWithout, publishLabel, withComponents, withPages } from './audience.ts'
import {
  componentOptions,
  type Detected,
  draftOf,
  type StatusIncidentDraft,
  toNextUpdate,
} from './incident-draft.ts'
import { MomentField, PagesField, TitleFields } from './incident-fields.tsx'
import { AffectedPart, MessagePart, NotifyPart, PhasePick } from './incident-parts.tsx'
import { IncidentPreview } from './incident-preview.tsx'
import { NextUpdatePart } from './next-update.tsx'
import '../../../ui/form.css'
import '../../../ui/notice.css'
import './status-incident.css'

export const MOST_PAGES = 100

/** The form for publishing an incident. `?incident=` fills it from a detected one. */
export function PublishIncident() {
  const { incident: incidentId = '', page = '' } = useSearch({ strict: false }) as PublishParams
  const may = useMay('MEMBER')
  const pages = useRead('GET /overview/status-pages', { query: { limit: MOST_PAGES } })
  const detected = useRead(
    'GET /overview/incidents/{incidentId}',
    { params: { incidentId } },
    { enabled: incidentId !== '' },
  )
  if (isProblem(detected.error, 'not_found'))
    return <ItemNotFound what="incident" back={PATHS.incidents} />
  const isKnown = incidentId === '' || detected.data !== undefined
  return (
    <Page title={TEXT.title} crumbs={CRUMBS} about={aboutOf(detected.data)}>
      {may ? (
        <Loaded query={pages} loading={<Skeleton width="40%" />}>
          {({ data }) =>
            data.length === 0 ? (
              <NoPage />
            ) : (
              isKnown && <PublishForm pages={data} detected={detected.data} pageId={page} />
            )
          }
        </Loaded>
      ) : (
        <section className="card">
          <Empty title={TEXT.cannot}>{TEXT.cannotAbout}</Empty>
        </section>
      )}
    </Page>
  )
}

type PublishParams = { incident?: string; page?: string }

function aboutOf(detected: Detected | undefined) {
  if (detected === undefined) return TEXT.about
  return (
    <>
      {TEXT.from}{' '}
      <Link className="link" to={PATHS.incident} params={{ incidentId: detected.id }}>
        <bdi>{detected.monitor.name}</bdi>
      </Link>
      . {TEXT.causeStaysPrivate}
    </>
  )
}

function NoPage() {
  return (
    <section className="card">
      <Empty
        title={TEXT.noPage}
        action={
          <ButtonLink kind="primary" to={PATHS.newStatusPage}>
            {TEXT.newPage}
          </ButtonLink>
        }
      >
        {TEXT.noPageAbout}
      </Empty>
    </section>
  )
}

type FormProps = {
  pages: readonly StatusPageView[]
  detected: Detected | undefined
  pageId: string
}

function PublishForm({ pages, detected, pageId }: FormProps) {
  const { draft, set, setPages } = usePublishDraft(pages, detected, pageId)
  const [startedAt, setStartedAt] = useState(() => detected?.startedAt ?? new Date().toISOString())
  const publish = usePublish()
  const { statusPageIds, title } = draft
  useFocusProblem(publish.error)
  const at = fieldsOf(publish.error, incidentSentences)
  const parts = { draft, set, at }
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (publish.isPending || statusPageIds.length === 0) return
    const { message, nextUpdate: _, ...rest } = draft
    const told = message.trim() === '' ? {} : { message }
    const origin = { incidentId: detected?.id ?? null, startedAt }
    publish.mutate({ body: { ...rest, ...told, ...toNextUpdate(draft), ...origin } })
  }
  return (
    <div className="pub-cols">
      <form className="card" onSubmit={send} noValidate>
        <FormProblems error={publish.error} fields={incidentSentences} />
        <div className="form-block">
          <TitleFields {...parts} autoFocus />
        </div>
        <PhasePick {...parts} reached={{}} />
        <MessagePart {...parts} />
        {draft.status !== 'RESOLVED' && <NextUpdatePart {...parts} />}
        <AffectedPart {...parts} all={componentOptions(pages, allOf(pages))} />
        <div className="form-block form-2">
          <PagesField
            pages={pages}
            chosen={statusPageIds}
            onChange={setPages}
            problem={at('statusPageIds')}
          />
          <MomentField
            label={publishPartsText.started}
            at={startedAt}
            onChange={setStartedAt}
            problem={at('startedAt')}
          />
        </div>
        <NotShown pages={pages} draft={draft} />
        <NotifyPart {...parts} subscribers={subscribersOf(pages, statusPageIds)} />
        <PublishBar pages={pages} draft={draft} busy={publish.isPending} />
      </form>
      <IncidentPreview
        pages={pages}
        draft={{ ...draft, title: title.trim() === '' ? TEXT.untitled : title }}
        startedAt={startedAt}
      />
    </div>
  )
}

const allOf = (pages: readonly StatusPageView[]) => pages.map(({ id }) => id)

type DraftChange = Partial<StatusIncidentDraft>

/** Components bring their pages along; pages chosen by hand stay. */
function usePublishDraft(
  pages: readonly StatusPageView[],
  detected: Detected | undefined,
  pageId: string,
) {
  const [draft, setDraft] = useState(() => draftOf(pages, detected, pageId))
  const [kept, setKept] = useState(() => (draft.components.length === 0 ? draft.statusPageIds : []))
  const set = (next: DraftChange) =>
    setDraft((before) => {
      const { components } = next
      const audience = components && withComponents(pages, before, components, kept)
      return { ...before, ...next, ...audience }
    })
  const setPages = (chosen: string[]) => {
    const added = chosen.filter((id) => !draft.statusPageIds.includes(id))
    setKept((before) => [...before.filter((id) => chosen.includes(id)), ...added])
    setDraft((before) => ({ ...before, ...withPages(pages, before, chosen) }))
  }
  return { draft, set, setPages }
}

type AudienceProps = { pages: readonly StatusPageView[]; draft: StatusIncidentDraft }

function NotShown({ pages, draft }: AudienceProps) {
  const missing = pagesWithout(pages, draft)
  if (missing.length === 0) return null
  return (
    <p className="notice is-degraded" role="status">
      <Mark state="DEGRADED" />
      <span>
        {missing
          .map(({ page, components }) =>
            TEXT.notShownOn({ page, components: listOf(components, 'or') }),
          )
          .join(' ')}
      </span>
    </p>
  )
}

function PublishBar({ pages, draft, busy }: AudienceProps & { busy: boolean }) {
  const { statusPageIds, notifySubscribers } = draft
  const names = pages.filter(({ id }) => statusPageIds.includes(id)).map(({ name }) => name)
  const subscribers = notifySubscribers ? subscribersOf(pages, statusPageIds) : 0
  const isEmpty = statusPageIds.length === 0
  return (
    <div className="form-bar">
      <span className="hint">{isEmpty && TEXT.choosePage}</span>
      <ButtonLink to={PATHS.statusPages}>{TEXT.cancel}</ButtonLink>
      <Button
        kind="primary"
        type="submit"
        busy={busy}
        whyNot={isEmpty ? TEXT.choosePage : undefined}
      >
        {publishLabel(names, subscribers)}
      </Button>
    </div>
  )
}

function usePublish() {
  const navigate = useNavigate()
  return useWrite('POST /published-incidents', {
    inForm: true,
    onDone: ({ id }) => {
      toast(TEXT.done)
      void navigate({
        to: PATHS.statusIncident,
        params: { statusIncidentId: id },
      })
    },
  })
}

export const subscribersOf = (pages: readonly StatusPageView[], ids: readonly string[]): number =>
  pages.filter(({ id }) => ids.includes(id)).reduce((sum, { subscribers }) => sum + subscribers, 0)
