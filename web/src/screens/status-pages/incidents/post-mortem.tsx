// The post-mortem of a resolved incident: written, edited and deleted here, shown on its public page.
import { type FormEvent, useState } from 'react'
import type { ResponseOf } from '../../../api/contract.ts'
import {
  postMortemSentences,
  postMortemText as TEXT,
} from '../../../messages/publishing/incidents.ts'
import { toast } from '../../../session/toast.ts'
import { useWrite } from '../../../session/use-api.ts'
import { Markdown } from '../../../shared/markdown.tsx'
import { formatMoment } from '../../../time/format.ts'
import { useNow } from '../../../time/use-now.ts'
import { Button } from '../../../ui/button.tsx'
import { Choice, FormProblems, fieldsOf } from '../../../ui/field.tsx'
import { Empty } from '../../../ui/loading.tsx'
import { Confirm } from '../../../ui/overlay/dialog.tsx'
import { useFocusProblem } from '../../../ui/use-focus-problem.ts'
import { MessageField } from './incident-parts.tsx'

type Notes = ResponseOf<'GET /overview/status-incidents/{statusIncidentId}'>
type Written = NonNullable<Notes['postMortem']>
type Props = { incidentId: string; postMortem: Written | null; subscribers: number; may: boolean }

export function PostMortem({ incidentId, postMortem, subscribers, may }: Props) {
  const [isWriting, setWriting] = useState(false)
  if (!may && postMortem === null) return null
  return (
    <section className="card" aria-labelledby="post-mortem">
      <header>
        <h2 id="post-mortem">{TEXT.title}</h2>
        {may && postMortem !== null && !isWriting && (
          <span className="row">
            <Button size="sm" onClick={() => setWriting(true)}>
              {TEXT.edit}
            </Button>
            <DeletePostMortem incidentId={incidentId} />
          </span>
        )}
      </header>
      {isWriting ? (
        <PostMortemForm
          incidentId={incidentId}
          message={postMortem?.message ?? ''}
          subscribers={subscribers}
          onDone={() => setWriting(false)}
        />
      ) : (
        <Shown postMortem={postMortem} onWrite={() => setWriting(true)} />
      )}
    </section>
  )
}

type ShownProps = { postMortem: Written | null; onWrite: () => void }

function Shown({ postMortem, onWrite }: ShownProps) {
  const now = useNow(60_000)
  if (postMortem === null)
    return (
      <Empty title={TEXT.none} action={<Button onClick={onWrite}>{TEXT.write}</Button>}>
        {TEXT.noneAbout}
      </Empty>
    )
  const { message, createdAt, updatedAt, notifiedSubscribers } = postMortem
  const facts = [
    TEXT.published({ moment: formatMoment(createdAt, now) }),
    ...(updatedAt === createdAt ? [] : [TEXT.edited({ moment: formatMoment(updatedAt, now) })]),
    ...(notifiedSubscribers ? [TEXT.notified] : []),
  ]
  return (
    <div className="card-body">
      <p className="faint num">{facts.join(' · ')}</p>
      <Markdown text={message} />
    </div>
  )
}

type FormProps = {
  incidentId: string
  message: string
  subscribers: number
  onDone: () => void
}

function PostMortemForm({ incidentId, message: before, subscribers, onDone }: FormProps) {
  const [message, setMessage] = useState(before)
  const [notifySubscribers, setNotify] = useState(false)
  const save = useWrite('POST /status-incidents/{statusIncidentId}/post-mortem', {
    inForm: true,
    onDone: () => {
      toast(TEXT.saved)
      onDone()
    },
  })
  useFocusProblem(save.error)
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (save.isPending) return
    save.mutate({
      params: { statusIncidentId: incidentId },
      body: { message, notifySubscribers },
    })
  }
  return (
    <form onSubmit={send} noValidate aria-label={TEXT.title}>
      <FormProblems error={save.error} fields={postMortemSentences} />
      <div className="form-block">
        <MessageField
          label={TEXT.text}
          rows={12}
          value={message}
          onChange={setMessage}
          problem={fieldsOf(save.error, postMortemSentences)('message')}
        />
      </div>
      <div className="form-block">
        <Choice
          checked={notifySubscribers}
          onChange={setNotify}
          label={TEXT.notify({ count: subscribers })}
          hint={TEXT.notifyHint}
        />
      </div>
      <div className="form-bar">
        <span className="hint">{TEXT.visible}</span>
        <Button onClick={onDone}>{TEXT.cancel}</Button>
        <Button kind="primary" type="submit" busy={save.isPending}>
          {TEXT.save}
        </Button>
      </div>
    </form>
  )
}

function DeletePostMortem({ incidentId }: { incidentId: string }) {
  const [isAsking, setAsking] = useState(false)
  const remove = useWrite('DELETE /status-incidents/{statusIncidentId}/post-mortem', {
    onDone: () => {
      toast(TEXT.deleted)
      setAsking(false)
    },
  })
  return (
    <>
      <Button size="sm" onClick={() => setAsking(true)}>
        {TEXT.delete}
      </Button>
      <Confirm
        open={isAsking}
        onClose={() => setAsking(false)}
        {...TEXT.deleting}
        busy={remove.isPending}
        run={() => remove.mutate({ params: { statusIncidentId: incidentId } })}
      />
    </>
  )
}
