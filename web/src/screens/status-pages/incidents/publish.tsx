import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { PATHS } from '../../../../../src/domain/values/dashboard-paths.ts'
import { isProblem } from '../../../api/problem.ts'
import { useMay } from '../../../session/organization.ts'
import { toast } from '../../../session/toast.ts'
import { useRead, useWrite } from '../../../session/use-api.ts'
import { plural } from '../../../time/figures.ts'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { FormProblems, fieldsOf } from '../../../ui/field.tsx'
import { Empty, Loaded, Skeleton } from '../../../ui/loading.tsx'
import { ItemNotFound } from '../../../ui/not-found.tsx'
import { Page } from '../../../ui/page.tsx'
import { useFocusProblem } from '../../../ui/use-focus-problem.ts'
import { CRUMBS, type StatusPageView } from '../page.ts'
import {
  componentOptions,
  type Detected,
  draftOf,
  type StatusIncidentDraft,
} from './incident-draft.ts'
import { MomentField, PagesField, TitleFields } from './incident-fields.tsx'
import { AffectedPart, MessagePart, NotifyPart, PhasePick } from './incident-parts.tsx'
import { IncidentPreview } from './incident-preview.tsx'
import '../../../ui/form.css'
import './status-incident.css'

const FIELDS = ['title', 'impact', 'message', 'statusPageIds', 'components', 'startedAt']
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
    <Page title="Publish an incident" crumbs={CRUMBS} about={aboutOf(detected.data)}>
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
          <Empty title="Your role only reads">Members of the organization publish.</Empty>
        </section>
      )}
    </Page>
  )
}

type PublishParams = { incident?: string; page?: string }

function aboutOf(detected: Detected | undefined) {
  if (detected === undefined) return 'Readers of your status pages see what you write here.'
  return (
    <>
      From{' '}
      <Link className="link" to={PATHS.incident} params={{ incidentId: detected.id }}>
        <bdi>{detected.monitor.name}</bdi>
      </Link>
      . The cause stays with you; readers see what you write here.
    </>
  )
}

function NoPage() {
  return (
    <section className="card">
      <Empty
        title="There is no status page yet"
        action={
          <ButtonLink kind="primary" to={PATHS.newStatusPage}>
            New status page
          </ButtonLink>
        }
      >
        What you publish stands on a status page.
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
  const [draft, setDraft] = useState(() => draftOf(pages, detected, pageId))
  const [startedAt, setStartedAt] = useState(() => detected?.startedAt ?? new Date().toISOString())
  const set = (next: Partial<StatusIncidentDraft>) => setDraft((before) => ({ ...before, ...next }))
  const publish = usePublish()
  const { statusPageIds, title } = draft
  useFocusProblem(publish.error)
  const at = fieldsOf(publish.error)
  const parts = { draft, set, at }
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (publish.isPending || statusPageIds.length === 0) return
    const { message, ...rest } = draft
    const told = message.trim() === '' ? {} : { message }
    publish.mutate({ body: { ...rest, ...told, incidentId: detected?.id ?? null, startedAt } })
  }
  return (
    <div className="pub-cols">
      <form className="card" onSubmit={send} noValidate>
        <FormProblems error={publish.error} fields={FIELDS} />
        <div className="form-block">
          <TitleFields {...parts} autoFocus />
        </div>
        <PhasePick {...parts} reached={{}} />
        <MessagePart {...parts} />
        <AffectedPart {...parts} all={componentOptions(pages, statusPageIds)} />
        <div className="form-block form-2">
          <PagesField
            pages={pages}
            chosen={statusPageIds}
            onChange={(chosen) => set({ statusPageIds: chosen })}
            problem={at('statusPageIds')}
          />
          <MomentField
            label="Began"
            at={startedAt}
            onChange={setStartedAt}
            problem={at('startedAt')}
          />
        </div>
        <NotifyPart {...parts} subscribers={subscribersOf(pages, statusPageIds)} />
        <div className="form-bar">
          <span className="hint">Goes to {plural(statusPageIds.length, 'status page')} now.</span>
          <ButtonLink to={PATHS.statusPages}>Cancel</ButtonLink>
          <Button
            kind="primary"
            type="submit"
            busy={publish.isPending}
            whyNot={statusPageIds.length === 0 ? 'Choose a status page first.' : undefined}
          >
            Publish
          </Button>
        </div>
      </form>
      <IncidentPreview
        pages={pages}
        draft={{ ...draft, title: title.trim() === '' ? 'Untitled' : title }}
        startedAt={startedAt}
      />
    </div>
  )
}

function usePublish() {
  const navigate = useNavigate()
  return useWrite('POST /status-incidents', {
    inForm: true,
    onDone: ({ id }) => {
      toast('Published.')
      void navigate({
        to: PATHS.statusIncident,
        params: { statusIncidentId: id },
      })
    },
  })
}

export const subscribersOf = (pages: readonly StatusPageView[], ids: readonly string[]): number =>
  pages.filter(({ id }) => ids.includes(id)).reduce((sum, { subscribers }) => sum + subscribers, 0)
