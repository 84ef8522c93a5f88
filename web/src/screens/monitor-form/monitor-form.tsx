import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { ChevronRight } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { PATHS } from '../../../../src/domain/values/dashboard-paths.ts'
import { callOrganizationApi } from '../../api/call.ts'
import { ApiProblem, messageOf } from '../../api/problem.ts'
import { useOrganization } from '../../session/organization.ts'
import { toast } from '../../session/toast.ts'
import { useRead } from '../../session/use-api.ts'
import { isHttp, type MonitorDraft, type MonitorView, toBody } from '../../shared/monitor-draft.ts'
import { TrialResult } from '../../shared/trial-result.tsx'
import { formatCount, plural } from '../../time/figures.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { FormProblems, fieldsOf } from '../../ui/field.tsx'
import { Mark } from '../../ui/state.tsx'
import { MoreFields, WhatFields, WhenFields } from './fields.tsx'
import type { Form } from './inputs.tsx'
import { Notified, type NotifiedChanges, saveNotified } from './notified.tsx'
import { saveTags, TagsField, type TagsText } from './tags-field.tsx'
import '../../ui/form.css'
import '../../ui/notice.css'
import './monitor-form.css'

type Props = { start: MonitorDraft; monitor?: MonitorView }

/** Creates a monitor, or edits the given one. */
export function MonitorForm({ start, monitor }: Props) {
  const [draft, setDraft] = useState(start)
  const [notified, setNotified] = useState<NotifiedChanges>(new Map())
  const [tags, setTags] = useState<TagsText>()
  const element = useRef<HTMLFormElement>(null)
  const isNew = monitor === undefined
  const save = useSave(monitor, { notified, tags })
  const trial = useTrial()
  const error = save.error ?? trial.error
  const form = {
    draft,
    at: fieldsOf(error),
    change: (part: Partial<MonitorDraft>) => setDraft((before) => ({ ...before, ...part })),
  }
  useEffect(() => {
    if (error !== null) element.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [error])
  const test = () => {
    save.reset()
    trial.mutate(draft)
  }
  return (
    <form
      ref={element}
      className="card"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        trial.reset()
        save.mutate(draft)
      }}
    >
      <Summary error={error} />
      <Block
        title="What to watch"
        about={isNew ? 'The type decides which fields follow.' : 'The type stays as it is.'}
      >
        <WhatFields form={form} isNew={isNew} />
        <TagsField monitorId={monitor?.id} text={tags} onChange={setTags} />
      </Block>
      <Block title="How often" about={<FastestInterval />}>
        <WhenFields form={form} />
      </Block>
      <Block title="Who is told" about="When it goes down, and when it is up again.">
        <Notified monitorId={monitor?.id} changes={notified} onChange={setNotified} />
      </Block>
      {isHttp(draft.type) && <More form={form} />}
      {trial.data && <TrialResult trial={trial.data} />}
      <div className="form-bar">
        <Usage isNew={isNew} />
        <Cancel monitor={monitor} />
        {draft.type !== 'CRON' && (
          <Button busy={trial.isPending} onClick={test}>
            {trial.isPending ? 'Checking' : 'Test'}
            <span className="hide-phone">without saving</span>
          </Button>
        )}
        <Button type="submit" kind="primary" busy={save.isPending}>
          {isNew ? 'Create' : 'Save'}
          <span className="hide-phone">{isNew ? 'monitor' : 'changes'}</span>
        </Button>
      </div>
    </form>
  )
}

function More({ form }: { form: Form }) {
  return (
    <details className="form-more">
      <summary>
        <ChevronRight className="icon dir" aria-hidden="true" />
        Headers, body, redirects and certificate
      </summary>
      <div className="form-fields">
        <MoreFields form={form} />
      </div>
    </details>
  )
}

function Cancel({ monitor }: { monitor: MonitorView | undefined }) {
  if (monitor === undefined)
    return (
      <ButtonLink to={PATHS.monitors} kind="ghost">
        Cancel
      </ButtonLink>
    )
  return (
    <ButtonLink to={PATHS.monitor} params={{ monitorId: monitor.id }} kind="ghost">
      Cancel
    </ButtonLink>
  )
}

type Beside = { notified: NotifiedChanges; tags: TagsText }

function useSave(monitor: MonitorView | undefined, { notified, tags }: Beside) {
  const { id } = useOrganization()
  const queries = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: async (draft: MonitorDraft) => {
      const body = toBody(draft)
      if (monitor === undefined) return callOrganizationApi(id, 'POST /monitors', { body })
      const params = { monitorId: monitor.id }
      return callOrganizationApi(id, 'PATCH /monitors/{monitorId}', { params, body })
    },
    onSuccess: async ({ id: monitorId, name }) => {
      // The monitor is already saved; contacts can still be attached on the contacts screen.
      await saveNotified(id, monitorId, notified).catch((problem: unknown) =>
        toast(`Who is told could not be saved. ${messageOf(problem)}`, 'bad'),
      )
      await saveTags(id, monitorId, tags).catch((problem: unknown) =>
        toast(`The tags could not be saved. ${messageOf(problem)}`, 'bad'),
      )
      void queries.invalidateQueries({ queryKey: [id] })
      toast(monitor === undefined ? `${name} is watched from now on` : `${name} saved`)
      void navigate({ to: PATHS.monitor, params: { monitorId } })
    },
  })
}

function useTrial() {
  const { id } = useOrganization()
  return useMutation({
    mutationFn: async (draft: MonitorDraft) =>
      callOrganizationApi(id, 'POST /monitor-trials', {
        body: { ...toBody(draft), name: draft.name || 'Trial' },
      }),
  })
}

/** The number of fields to correct. Problems of no field are shown in full. */
function Summary({ error }: { error: unknown }) {
  if (!error) return null
  const details = error instanceof ApiProblem ? error.details : []
  if (details.length === 0)
    return (
      <div className="form-notice">
        <FormProblems error={error} fields={[]} />
      </div>
    )
  return (
    <div className="form-notice">
      <div className="notice is-down" role="alert">
        <Mark state="DOWN" />
        <p>
          <b className="strong">
            {details.length === 1
              ? 'One field needs another look.'
              : `${details.length} fields need another look.`}
          </b>{' '}
          Nothing was saved.
        </p>
      </div>
    </div>
  )
}

function Block({
  title,
  about,
  children,
}: {
  title: string
  about: ReactNode
  children: ReactNode
}) {
  return (
    <div className="form-grid">
      <div>
        <h2>{title}</h2>
        <p>{about}</p>
      </div>
      <div className="form-fields">{children}</div>
    </div>
  )
}

function FastestInterval() {
  const { data } = useRead('GET /', {})
  return data === undefined ? '\u00a0' : `Your plan allows every ${data.fastestIntervalSeconds} s.`
}

function Usage({ isNew }: { isNew: boolean }) {
  const { data } = useRead('GET /', {})
  const use = data?.usage.monitors
  if (use === undefined || !isNew) return <span className="hint" />
  const limit =
    use.limit === null
      ? plural(use.used, 'monitor')
      : `${formatCount(use.used)} of ${formatCount(use.limit)} monitors on your plan`
  return <span className="hint">{limit}</span>
}
