// Says that nobody learns about an outage of a monitor, and where to change that.
import type { Alerting } from '../../../src/domain/alerts/alerting-state.ts'
import { PATHS } from '../../../src/domain/values/dashboard-paths.ts'
import { silentText as text } from '../messages/silent.ts'
import { useMay } from '../session/organization.ts'
import { useRead } from '../session/use-api.ts'
import { ButtonLink } from '../ui/button.tsx'
import { Mark } from '../ui/state.tsx'
import '../ui/notice.css'

type Props = { alerting: Alerting; monitorId: string; isOutage: boolean }

export function SilentNotice({ alerting, monitorId, isOutage }: Props) {
  const mayChange = useMay('ADMIN')
  if (alerting === 'ON') return null
  const because = text.because[alerting]
  return (
    <div className="notice is-degraded" role="note">
      <Mark state="DEGRADED" />
      <p className="grow">{isOutage ? text.was(because) : text.is(because)}</p>
      {mayChange && <Remedy alerting={alerting} monitorId={monitorId} />}
    </div>
  )
}

/** The monitor's form chooses among contacts. Without any, the first one is created. */
function Remedy({ alerting, monitorId }: Pick<Props, 'alerting' | 'monitorId'>) {
  const hasContacts = (useRead('GET /alert-contacts', {}).data?.data ?? []).length > 0
  if (alerting === 'CONTACTS_OFF')
    return (
      <ButtonLink size="sm" to={PATHS.alertContacts}>
        {text.turnOn}
      </ButtonLink>
    )
  return hasContacts ? (
    <ButtonLink size="sm" to={PATHS.editMonitor} params={{ monitorId }}>
      {text.add}
    </ButtonLink>
  ) : (
    <ButtonLink size="sm" to={PATHS.newContact}>
      {text.add}
    </ButtonLink>
  )
}
