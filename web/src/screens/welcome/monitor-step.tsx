import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { callOrganizationApi } from '../../api/call.ts'
import { welcomeText } from '../../messages/entry/welcome.ts'
import { useOrganization } from '../../session/organization.ts'
import { useWrite } from '../../session/use-api.ts'
import { EMPTY_DRAFT, toBody } from '../../shared/monitor-draft.ts'
import { guessName } from '../../shared/monitor-guesses.ts'
import { TrialResult } from '../../shared/trial-result.tsx'
import { Button } from '../../ui/button.tsx'
import { Field, FormProblems, fieldsOf } from '../../ui/field.tsx'
import type { FirstMonitor } from './use-created.ts'

const text = welcomeText.monitor

type Props = {
  start: string
  /** The person typed it one screen before. A URL from elsewhere is shown, but waits to be asked for. */
  isAsked: boolean
  onDone: (monitor: FirstMonitor) => void
}

/** Checked before it is saved, so a mistyped URL does not cause the first alert. */
export function MonitorStep({ start, isAsked, onDone }: Props) {
  const [typed, setTyped] = useState(start)
  const { id } = useOrganization()
  const draft = { ...EMPTY_DRAFT, url: typed }
  const body = () => toBody({ ...draft, name: guessName(draft) || text.defaultName })
  const trial = useMutation({
    mutationFn: async () => callOrganizationApi(id, 'POST /monitor-trials', { body: body() }),
  })
  const check = trial.mutate
  const isStarted = useRef(false)
  useEffect(() => {
    if (!isAsked || isStarted.current) return
    isStarted.current = true
    check()
  }, [isAsked, check])
  const create = useWrite('POST /monitors', { inForm: true, onDone })
  const error = create.error ?? trial.error
  // Monitoring something that fails its first check is possible, but rarely meant.
  const isUp = trial.data?.result === 'OK'
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        check()
      }}
    >
      <FormProblems error={error} fields={text.problems} />
      <Field label={text.url} hint={text.about} problem={fieldsOf(error, text.problems)('url')}>
        {(control) => (
          <input
            {...control}
            className="input tall"
            inputMode="url"
            placeholder="https://example.com"
            spellCheck={false}
            required
            value={typed}
            onChange={(event) => {
              trial.reset()
              setTyped(event.currentTarget.value)
            }}
          />
        )}
      </Field>
      {trial.data && <TrialResult trial={trial.data} />}
      <div className="actions">
        {trial.data && (
          <Button
            {...(isUp && { kind: 'primary' as const })}
            size="lg"
            busy={create.isPending}
            onClick={() => create.mutate({ body: body() })}
          >
            {text.create}
          </Button>
        )}
        <Button
          type="submit"
          size="lg"
          {...(!isUp && { kind: 'primary' as const })}
          busy={trial.isPending}
        >
          {trial.data ? text.checkAgain : text.check}
        </Button>
      </div>
    </form>
  )
}
