import { useState } from 'react'
import { PATHS } from '../../../../src/domain/values/dashboard-paths.ts'
import { factorRuleText as TEXT } from '../../messages/settings.ts'
import { useMay, useShell } from '../../session/organization.ts'
import { toast } from '../../session/toast.ts'
import { useRead, useWrite } from '../../session/use-api.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Confirm } from '../../ui/overlay/dialog.tsx'
import { StateLabel } from '../../ui/state.tsx'
import '../../ui/form.css'

/** Whether every member needs a second factor. Owners change it. */
export function FactorRule({ isRequired }: { isRequired: boolean }) {
  const isOwner = useMay('OWNER')
  return (
    <div className="form-grid">
      <div>
        <h2>{TEXT.title}</h2>
        <p>{TEXT.about}</p>
      </div>
      <div className="form-fields">
        <StateLabel state={isRequired ? 'UP' : 'UNKNOWN'} word={isRequired ? TEXT.on : TEXT.off} />
        <p>{TEXT.explains}</p>
        {isOwner ? <Change isRequired={isRequired} /> : <p className="hint">{TEXT.ownersOnly}</p>}
      </div>
    </div>
  )
}

function Change({ isRequired }: { isRequired: boolean }) {
  const { secondFactor } = useShell().me.person
  const [isAsking, setAsking] = useState(false)
  const change = useWrite('PATCH /second-factor', {
    onDone: ({ required }) => {
      setAsking(false)
      toast(required ? TEXT.required : TEXT.optional)
    },
  })
  if (isRequired)
    return (
      <div>
        <Button
          busy={change.isPending}
          onClick={() => change.mutate({ body: { required: false } })}
        >
          {TEXT.stop}
        </Button>
      </div>
    )
  if (!secondFactor)
    return (
      <>
        <p className="hint">{TEXT.setUpFirst}</p>
        <div>
          <ButtonLink to={PATHS.account}>{TEXT.toAccount}</ButtonLink>
        </div>
      </>
    )
  return (
    <div>
      <Button onClick={() => setAsking(true)}>{TEXT.require}</Button>
      <Ask
        open={isAsking}
        onClose={() => setAsking(false)}
        busy={change.isPending}
        run={() => change.mutate({ body: { required: true } })}
      />
    </div>
  )
}

type AskProps = { open: boolean; onClose: () => void; busy: boolean; run: () => void }

/** Says how many members it shuts out. */
function Ask(props: AskProps) {
  const members = useRead('GET /members', {}, { enabled: props.open })
  const all = members.data?.data ?? []
  const without = all.filter(({ secondFactor }) => secondFactor === false).length
  const { title, everyone, some, action, keep } = TEXT.confirm
  return (
    <Confirm
      {...props}
      title={title}
      about={without === 0 ? everyone : some({ without })}
      action={action}
      keep={keep}
    />
  )
}
