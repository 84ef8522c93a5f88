// One published incident: past updates, the next update, and corrections.
import { Link, useParams } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { PATHS } from '../../../../../src/domain/values/dashboard-paths.ts'
import { isProblem } from '../../../api/problem.ts'
import {
  incidentSentences,
  publishText,
  publishedText as TEXT,
} from '../../../messages/publishing/incidents.ts'
import { useMay } from '../../../session/organization.ts'
import { toast } from '../../../session/toast.ts'
import { useRead, useWrite } from '../../../session/use-api.ts'
import { Markdown } from '../../../shared/markdown.tsx'
import { STATUS_LABELS, stateOfIncident } from '../../../shared/published-incident.ts'
import { formatMoment } from '../../../time/format.ts'
import { useNow } from '../../../time/use-now.ts'
import { Button } from '../../../ui/button.tsx'
import { FormProblems, fieldsOf } from '../../../ui/field.tsx'
import { Loaded, Skeleton } from '../../../ui/loading.tsx'
import { ItemNotFound } from '../../../ui/not-found.tsx'
import { Page } from '../../../ui/page.tsx'
import { StateLabel } from '../../../ui/state.tsx'
import { useFocusProblem } from '../../../ui/use-focus-problem.ts'
import { CRUMBS, plainAddress, type StatusPageView } from '../page.ts'
import { IncidentActions } from './incident-actions.tsx'
import {
  componentOptions,
  type PublishedIncident,
  type StatusIncidentDraft,
  toNextUpdate,
} from './incident-draft.ts'
import {
  AffectedPart,
  MessagePart,
  NotifyPart,
  PhasePick,
  type Reached,
} from './incident-parts.tsx'
import { IncidentPreview } from './incident-preview.tsx'
import { NextUpdatePart, PromisedUpdate } from './next-update.tsx'
import { NO_NEXT_UPDATE } from './next-update-choice.ts'
import { PostMortem } from './post-mortem.tsx'
import { MOST_PAGES, subscribersOf } from './publish.tsx'
import '../../../ui/form.css'
import '../published-list.css'
import './status-incident.css'

export function StatusIncident() {
  const { statusIncidentId = '' } = useParams({ strict: false })
  const may = useMay('MEMBER')
  const read = useRead('GET /status-incidents/{statusIncidentId}', { params: { statusIncidentId } })
  const pages = useRead('GET /overview/status-pages', { query: { limit: MOST_PAGES } })
  if (isProblem(read.error, 'not_found'))
    return <ItemNotFound what="publishedIncident" back={PATHS.statusPages} />
  const { data } = read
  return (
    <Page
      title={data?.title ?? TEXT.title}
      crumbs={CRUMBS}
      about={data && <About incident={data} pages={pages.data?.data ?? []} />}
      actions={
        may && data && pages.data && <IncidentActions incident={data} pages={pages.data.data} />
      }
    >
      <Loaded query={pages} loading={<Skeleton width="40%" />}>
        {(list) => (
          <Loaded query={read} loading={<Skeleton width="40%" />}>
            {(incident) => (
              // The next update starts from the published state.
              <IncidentContent
                key={incident.updatedAt}
                incident={incident}
                pages={list.data}
                may={may}
              />
            )}
          </Loaded>
        )}
      </Loaded>
    </Page>
  )
}

type IncidentProps = { incident: PublishedIncident; pages: readonly StatusPageView[] }

function About({ incident, pages }: IncidentProps) {
  const { startedAt, resolvedAt, status, incidentId, statusPageIds, id } = incident
  const now = useNow(60_000)
  const shown = pages.filter((page) => statusPageIds.includes(page.id))
  return (
    <span className="page-dots">
      <span>
        <StateLabel state={stateOfIncident(incident)} word={STATUS_LABELS[status]} />
      </span>
      <span>
        {resolvedAt === null
          ? formatMoment(startedAt, now)
          : TEXT.span({ from: formatMoment(startedAt, now), to: formatMoment(resolvedAt, now) })}
      </span>
      {shown.map(({ id: pageId, name, url, published }) => (
        <span key={pageId}>
          {published ? (
            <a
              className="link"
              href={`${url}/incidents/${id}`}
              target="_blank"
              rel="noopener"
              title={`${plainAddress(url)}/incidents/${id}`}
            >
              {TEXT.viewOn} <bdi>{name}</bdi>
              <span className="sr">{TEXT.newTab}</span>
            </a>
          ) : (
            <>
              {TEXT.on} <bdi>{name}</bdi>
              {TEXT.notPublished}
            </>
          )}
        </span>
      ))}
      {incidentId !== null && (
        <span>
          <Link className="link" to={PATHS.incident} params={{ incidentId }}>
            {TEXT.detected}
          </Link>
        </span>
      )}
    </span>
  )
}

function IncidentContent({ incident, pages, may }: IncidentProps & { may: boolean }) {
  const [draft, setDraft] = useState<StatusIncidentDraft>(() => ({
    ...incident,
    message: '',
    notifySubscribers: true,
    nextUpdate: NO_NEXT_UPDATE,
  }))
  const set = (next: Partial<StatusIncidentDraft>) => setDraft((before) => ({ ...before, ...next }))
  const notes = useRead('GET /overview/status-incidents/{statusIncidentId}', {
    params: { statusIncidentId: incident.id },
  })
  const isOver = incident.status === 'RESOLVED'
  return (
    <div className="pub-cols">
      <div className="told-col">
        {notes.data?.nextUpdateBy && !isOver && <PromisedUpdate by={notes.data.nextUpdateBy} />}
        {notes.data && isOver && (
          <PostMortem
            incidentId={incident.id}
            postMortem={notes.data.postMortem}
            subscribers={subscribersOf(pages, incident.statusPageIds)}
            may={may}
          />
        )}
        {may && <UpdateForm incident={incident} pages={pages} draft={draft} set={set} />}
        <Updates incident={incident} />
      </div>
      <IncidentPreview
        pages={pages}
        draft={draft}
        startedAt={incident.startedAt}
        statusIncidentId={incident.id}
      />
    </div>
  )
}

type FormProps = IncidentProps & {
  draft: StatusIncidentDraft
  set: (next: Partial<StatusIncidentDraft>) => void
}

function UpdateForm({ incident, pages, draft, set }: FormProps) {
  const post = useWrite('POST /status-incidents/{statusIncidentId}/posts', {
    inForm: true,
    onDone: ({ status }) => toast(status === 'RESOLVED' ? TEXT.done.resolved : TEXT.done.updated),
  })
  useFocusProblem(post.error)
  const { statusPageIds } = incident
  const parts = { draft, set, at: fieldsOf(post.error, incidentSentences) }
  const isEnd = draft.status === 'RESOLVED'
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (post.isPending) return
    const { message, status, components, notifySubscribers } = draft
    // Resolving makes all components operational.
    const said = isEnd ? {} : { components }
    post.mutate({
      params: { statusIncidentId: incident.id },
      body: { message, status, notifySubscribers, ...said, ...toNextUpdate(draft) },
    })
  }
  const publishes = publishText.publishesTo({ pages: statusPageIds.length })
  return (
    <form className="card" onSubmit={send} noValidate aria-label={TEXT.next}>
      <FormProblems error={post.error} fields={incidentSentences} />
      <PhasePick {...parts} reached={reachedOf(incident)} />
      <MessagePart {...parts} />
      {!isEnd && <NextUpdatePart {...parts} />}
      {!isEnd && <AffectedPart {...parts} all={componentOptions(pages, statusPageIds)} />}
      <NotifyPart {...parts} subscribers={subscribersOf(pages, statusPageIds)} />
      <div className="form-bar">
        <span className="hint">
          {isEnd && incident.status !== 'RESOLVED'
            ? TEXT.componentsReturn({ publishes })
            : publishes}
        </span>
        <Button kind="primary" type="submit" busy={post.isPending}>
          {verbOf(incident.status, draft.status)}
        </Button>
      </div>
    </form>
  )
}

function verbOf(before: PublishedIncident['status'], after: PublishedIncident['status']): string {
  if (before === after) return TEXT.publishUpdate
  if (after === 'RESOLVED') return TEXT.resolve
  return before === 'RESOLVED' ? TEXT.reopen : TEXT.publishUpdate
}

function reachedOf({ updates }: PublishedIncident): Reached {
  return Object.fromEntries(updates.map(({ status, createdAt }) => [status, createdAt]))
}

function Updates({ incident: { updates } }: { incident: PublishedIncident }) {
  const now = useNow(60_000)
  return (
    <section className="card" aria-labelledby="updates">
      <header>
        <h2 id="updates">{TEXT.updates}</h2>
        <span className="hint">{TEXT.newestFirst}</span>
      </header>
      <ol className="card-body posted">
        {updates.map(({ id, status, message, createdAt, notifiedSubscribers }) => (
          <li key={id}>
            <p>
              <b className="strong">{STATUS_LABELS[status]}</b>{' '}
              <span className="faint num">
                {formatMoment(createdAt, now)}
                {notifiedSubscribers && ` · ${TEXT.notified}`}
              </span>
            </p>
            {message !== '' && <Markdown text={message} />}
          </li>
        ))}
      </ol>
      {updates.length === 0 && <p className="card-body muted">{TEXT.noUpdates}</p>}
    </section>
  )
}
