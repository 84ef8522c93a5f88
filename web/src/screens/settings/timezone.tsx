import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { meQuery } from '../../api/queries.ts'
import { timezoneText as TEXT } from '../../messages/settings.ts'
import { useMay } from '../../session/organization.ts'
import { toast } from '../../session/toast.ts'
import { useWrite } from '../../session/use-api.ts'
import { VIEWER_ZONE } from '../../time/viewer.ts'
import { zoneLabel } from '../../time/zone-names.ts'
import { AUTOMATIC, zoneChoices } from '../../time/zone-options.ts'
import { Button } from '../../ui/button.tsx'
import { FormProblems, fieldsOf } from '../../ui/field.tsx'
import { SelectInput } from '../../ui/inputs.tsx'
import '../../ui/facts.css'
import '../../ui/form.css'

/** The organization's time zone: a form for admins, a fact for everyone else. */
export function Timezone({ of }: { of: string | null }) {
  if (useMay('ADMIN')) return <TimezoneForm of={of} key={of} />
  return (
    <dl className="facts">
      <div>
        <dt>{TEXT.label}</dt>
        <dd>{of === null ? TEXT.fromBrowser({ zone: zoneLabel(VIEWER_ZONE) }) : zoneLabel(of)}</dd>
      </div>
    </dl>
  )
}

function TimezoneForm({ of }: { of: string | null }) {
  const [zone, setZone] = useState(of ?? AUTOMATIC)
  const queries = useQueryClient()
  const save = useWrite('PATCH /timezone', {
    inForm: true,
    onDone: () => {
      void queries.invalidateQueries(meQuery)
      toast(TEXT.saved)
    },
  })
  return (
    <form
      className="form-fields"
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate({ body: { timezone: zone === AUTOMATIC ? null : zone } })
      }}
    >
      <FormProblems error={save.error} fields={TEXT.problems} />
      <SelectInput
        label={TEXT.label}
        value={zone}
        onChange={setZone}
        options={zoneChoices(of, TEXT.automatic({ zone: zoneLabel(VIEWER_ZONE) }))}
        problem={fieldsOf(save.error, TEXT.problems)('timezone')}
        hint={TEXT.hint}
      />
      <div>
        <Button
          type="submit"
          busy={save.isPending}
          whyNot={zone === (of ?? AUTOMATIC) ? TEXT.unchanged : undefined}
        >
          {TEXT.action}
        </Button>
      </div>
    </form>
  )
}
