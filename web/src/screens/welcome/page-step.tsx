import { useState } from 'react'
import { PAGE_DEFAULTS } from '../../../../src/domain/status-pages/status-page.ts'
import { welcomeText } from '../../messages/entry/welcome.ts'
import { useOrganization } from '../../session/organization.ts'
import { useWrite } from '../../session/use-api.ts'
import { useDefaultZone } from '../../shared/default-zone.ts'
import { Button } from '../../ui/button.tsx'
import { Field, FormProblems, fieldsOf } from '../../ui/field.tsx'

const text = welcomeText.page

type Props = { monitorId: string | undefined; onDone: (url: string) => void; onSkip: () => void }

/** A public page with the new monitor. Its design is set in the editor. */
export function PageStep({ monitorId, onDone, onSkip }: Props) {
  const { name: organization } = useOrganization()
  const timezone = useDefaultZone()
  const [name, setName] = useState(organization)
  const create = useWrite('POST /status-pages', { inForm: true, onDone: ({ url }) => onDone(url) })
  const body = {
    ...PAGE_DEFAULTS,
    name,
    timezone,
    monitorIds: monitorId === undefined ? [] : [monitorId],
  }
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        create.mutate({ body })
      }}
    >
      <FormProblems error={create.error} fields={text.problems} />
      <Field label={text.name} problem={fieldsOf(create.error, text.problems)('name')}>
        {(control) => (
          <input
            {...control}
            className="input tall"
            maxLength={120}
            required
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
        )}
      </Field>
      <div className="actions">
        <Button type="submit" kind="primary" size="lg" busy={create.isPending}>
          {text.publish}
        </Button>
        <Button kind="ghost" size="lg" onClick={onSkip}>
          {welcomeText.skip}
        </Button>
      </div>
    </form>
  )
}
