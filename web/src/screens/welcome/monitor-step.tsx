import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { callOrganizationApi } from '../../api/call.ts'
import { useOrganization } from '../../session/organization.ts'
import { useWrite } from '../../session/use-api.ts'
import { EMPTY_DRAFT, toBody } from '../../shared/monitor-draft.ts'
import { TrialResult } from '../../shared/trial-result.tsx'
import { Button } from '../../ui/button.tsx'
import { Field, FormProblems, fieldsOf } from '../../ui/field.tsx'
import type { FirstMonitor } from './use-created.ts'

/** Checked before it is saved, so a mistyped URL does not cause the first alert. */
export function MonitorStep({ onDone }: { onDone: (monitor: FirstMonitor) => void }) {
  const [typed, setTyped] = useState('')
  const { id } = useOrganization()
  const url = /^https?:\/\//i.test(typed.trim()) ? typed.trim() : `https://${typed.trim()}`
  const body = () => toBody({ ...EMPTY_DRAFT, name: URL.parse(url)?.hostname ?? url, url })
  const trial = useMutation({
    mutationFn: async () => callOrganizationApi(id, 'POST /monitor-trials', { body: body() }),
  })
  const create = useWrite('POST /monitors', { inForm: true, onDone })
  const error = create.error ?? trial.error
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        trial.mutate()
      }}
    >
      <FormProblems error={error} fields={['url']} />
      <Field label="URL" hint="A page or an API of yours." problem={fieldsOf(error)('url')}>
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
            kind="primary"
            size="lg"
            busy={create.isPending}
            onClick={() => create.mutate({ body: body() })}
          >
            Watch it every minute
          </Button>
        )}
        <Button
          type="submit"
          size="lg"
          {...(!trial.data && { kind: 'primary' as const })}
          busy={trial.isPending}
        >
          {trial.data ? 'Look again' : 'Look at it'}
        </Button>
      </div>
    </form>
  )
}
