// What happened, oldest first: failed, opened, alerts sent, acknowledged, noted, recovered.
import { type FormEvent, type RefObject, useState } from 'react'
import { messageOf } from '../../api/problem.ts'
import { incidentText } from '../../messages/incidents.ts'
import { useMay } from '../../session/organization.ts'
import { useWrite } from '../../session/use-api.ts'
import { formatDay } from '../../time/format.ts'
import { useNow } from '../../time/use-now.ts'
import { Button } from '../../ui/button.tsx'
import { Field, fieldsOf } from '../../ui/field.tsx'
import { Time } from '../../ui/time.tsx'
import { foldTimeline, newDays } from './fold-timeline.ts'
import type { IncidentScreen } from './screen.ts'
import { TimelineEntryContent } from './timeline-entry.tsx'
import './timeline.css'

type TimelineProps = { incident: IncidentScreen; note: RefObject<HTMLTextAreaElement | null> }

const text = incidentText.timeline
const MAX_NOTE = 1000

export function Timeline({ incident, note }: TimelineProps) {
  const may = useMay('MEMBER')
  const { timeline, startedAt } = incident
  const now = useNow(60_000)
  const entries = foldTimeline(timeline)
  const days = newDays(
    entries.map(([{ at }]) => at),
    startedAt,
    now,
  )
  return (
    <section className="card" aria-labelledby="timeline">
      <header>
        <h2 id="timeline">{text.title}</h2>
        <span className="hint">{formatDay(startedAt, now)}</span>
      </header>
      <div className="card-body">
        <ol className="timeline">
          {entries.map((entry, index) => {
            const [{ id, at }] = entry
            return (
              <li key={id}>
                <span className="at">
                  {days[index] && <span className="day">{days[index]}</span>}
                  <Time at={at} as="seconds" />
                </span>
                <TimelineEntryContent entry={entry} />
              </li>
            )
          })}
        </ol>
        {may && <NoteForm incidentId={incident.id} field={note} />}
      </div>
    </section>
  )
}

type NoteFormProps = { incidentId: string; field: RefObject<HTMLTextAreaElement | null> }

/** Enter adds the note; Shift+Enter starts a new line. */
function NoteForm({ incidentId, field }: NoteFormProps) {
  const [written, setWritten] = useState('')
  const add = useWrite('POST /incidents/{incidentId}/notes', {
    inForm: true,
    onDone: () => setWritten(''),
  })
  const at = fieldsOf(add.error, text.problems)
  const problem = at('text') ?? (add.error === null ? undefined : messageOf(add.error))
  const send = () => {
    if (written.trim() !== '' && !add.isPending)
      add.mutate({ params: { incidentId }, body: { text: written.trim() } })
  }
  return (
    <form
      className="note-form"
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        send()
      }}
    >
      <Field label={<span className="sr">{text.note}</span>} problem={problem} className="grow">
        {(control) => (
          <textarea
            {...control}
            ref={field}
            className="textarea"
            rows={1}
            placeholder={text.notePlaceholder}
            maxLength={MAX_NOTE}
            value={written}
            onChange={(event) => setWritten(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
              event.preventDefault()
              send()
            }}
          />
        )}
      </Field>
      <Button
        type="submit"
        busy={add.isPending}
        whyNot={written.trim() === '' ? text.writeFirst : undefined}
      >
        {text.add}
      </Button>
    </form>
  )
}
