import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { ChevronRight } from 'lucide-react'
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { PATHS } from '../../../../src/domain/values/dashboard-paths.ts'
import { callOrganizationApi } from '../../api/call.ts'
import { messageOf } from '../../api/problem.ts'
import { monitorFormText as text } from '../../messages/monitors/monitor-form.ts'
import { regionsText } from '../../messages/monitors/regions.ts'
import { useOrganization } from '../../session/organization.ts'
import { toast } from '../../session/toast.ts'
import { useRead } from '../../session/use-api.ts'
import { isHttp, type MonitorDraft, type MonitorView, toBody } from '../../shared/monitor-draft.ts'
import { changeNewDraft } from '../../shared/monitor-guesses.ts'
import { TrialResult } from '../../shared/trial-result.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { FormProblems, fieldsOf } from '../../ui/field.tsx'
import { MoreFields, TargetFields } from './fields.tsx'
import type { Form } from './inputs.tsx'
import { Notified, type NotifiedChanges, saveNotified } from './notified.tsx'
import { type ChosenRegions, RegionsField, saveRegions } from './regions-field.tsx'
import { ScheduleFields } from './schedule-fields.tsx'
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
  const [regions, setRegions] = useState<ChosenRegions>()
  const element = useRef<HTMLFormElement>(null)
  const isNew = monitor === undefined
  const save = useSave(monitor, { notified, tags, regions })
  const trial = useTrial()
  const error = save.error ?? trial.error
  const form = {
    draft,
    at: fieldsOf(error, text.problems),
    change: (part: Partial<MonitorDraft>) =>
      setDraft((before) => (isNew ? changeNewDraft(before, part) : { ...before, ...part })),
  }
  useFocus(element, error)
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
      {error !== null && (
        <div className="form-notice">
          <FormProblems error={error} fields={text.problems} />
        </div>
      )}
      <Block title={text.target} about={isNew ? text.aboutTarget : text.typeFixed}>
        <TargetFields form={form} isNew={isNew} />
        <TagsField monitorId={monitor?.id} text={tags} onChange={setTags} />
      </Block>
      <Schedule form={form}>
        <RegionsField
          of={draft.type}
          monitorId={monitor?.id}
          chosen={regions}
          onChange={setRegions}
        />
      </Schedule>
      <Block title={text.alerts} about={text.aboutAlerts}>
        <Notified monitorId={monitor?.id} changes={notified} onChange={setNotified} />
      </Block>
      {isHttp(draft.type) && <More form={form} />}
      {trial.data && <TrialResult trial={trial.data} />}
      <div className="form-bar">
        <Usage isNew={isNew} />
        <Cancel monitor={monitor} />
        {draft.type !== 'CRON' && (
          <Button busy={trial.isPending} onClick={test}>
            <Label {...(trial.isPending ? text.testing : text.test)} />
          </Button>
        )}
        <Button type="submit" kind="primary" busy={save.isPending}>
          <Label {...(isNew ? text.create : text.save)} />
        </Button>
      </div>
    </form>
  )
}

function Schedule({ form, children }: { form: Form; children: ReactNode }) {
  const isJob = form.draft.type === 'CRON'
  return (
    <Block title={text.schedule} about={isJob ? text.aboutJob : <FastestInterval />}>
      <ScheduleFields form={form} />
      {children}
    </Block>
  )
}

function Label({ verb, rest }: { verb: string; rest: string }) {
  return (
    <>
      {verb}
      <span className="hide-phone">{rest}</span>
    </>
  )
}

/** A new form starts at its target; a rejected one continues at the first field to correct. */
function useFocus(form: RefObject<HTMLFormElement | null>, error: unknown): void {
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('[data-first-field]')?.focus({ preventScroll: true })
  }, [form])
  useEffect(() => {
    if (error !== null) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [form, error])
}

const IN_MORE = ['requestHeaders', 'requestBody', 'sslExpiryThresholdDays']

/** Closed, unless one of its fields has to be corrected. */
function More({ form }: { form: Form }) {
  const isWrong = IN_MORE.some((field) => form.at(field) !== undefined)
  return (
    <details className="form-more" open={isWrong || undefined}>
      <summary>
        <ChevronRight className="icon dir" aria-hidden="true" />
        {text.more}
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
        {text.cancel}
      </ButtonLink>
    )
  return (
    <ButtonLink to={PATHS.monitor} params={{ monitorId: monitor.id }} kind="ghost">
      {text.cancel}
    </ButtonLink>
  )
}

type Beside = { notified: NotifiedChanges; tags: TagsText; regions: ChosenRegions }

function useSave(monitor: MonitorView | undefined, { notified, tags, regions }: Beside) {
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
        toast(text.alertsNotSaved({ why: messageOf(problem) }), 'bad'),
      )
      await saveTags(id, monitorId, tags).catch((problem: unknown) =>
        toast(text.tagsNotSaved({ why: messageOf(problem) }), 'bad'),
      )
      await saveRegions(id, monitorId, regions).catch((problem: unknown) =>
        toast(regionsText.notSaved({ why: messageOf(problem) }), 'bad'),
      )
      void queries.invalidateQueries({ queryKey: [id] })
      toast(monitor === undefined ? text.created : text.saved({ name }))
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
  return data === undefined ? '\u00a0' : text.fastest({ seconds: data.fastestIntervalSeconds })
}

function Usage({ isNew }: { isNew: boolean }) {
  const { data } = useRead('GET /', {})
  const use = data?.usage.monitors
  if (use === undefined || !isNew) return <span className="hint" />
  const { used, limit } = use
  return (
    <span className="hint">
      {limit === null ? text.usage({ used }) : text.usageOfPlan({ used, limit })}
    </span>
  )
}
