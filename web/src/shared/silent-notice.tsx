// Says that nobody is alerted about a monitor or its open incident, and where to change that.
import type { IncidentAlerting } from '../../../src/domain/alerts/alerting-state.ts'
import { PATHS } from '../../../src/domain/values/dashboard-paths.ts'
import { silentText as text } from '../messages/silent.ts'
import { useMay } from '../session/organization.ts'
import { useRead } from '../session/use-api.ts'
import { ButtonLink } from '../ui/button.tsx'
import { Mark } from '../ui/state.tsx'
import { isSilent } from './silent.ts'
import '../ui/notice.css'

type Props = { alerting: IncidentAlerting; monitorId: string; isOutage: boolean }

export function SilentNotice({ alerting, monitorId, isOutage }: Props) {
  const mayChange = useMay('ADMIN')
  if (!isSilent(alerting)) return null
  const because = text.because[alerting]
  const hasNone = alerting === 'NO_CONTACTS'
  return (
    <div className="notice is-degraded" role="note">
      <Mark state="DEGRADED" />
      <p className="grow">
        {isOutage ? text.was({ reason: because }) : text.is({ reason: because })}{' '}
        {isOutage && hasNone && text.forTheNext}
      </p>
      {mayChange && alerting !== 'ADDED_LATER' && (
        <Remedy hasNone={hasNone} monitorId={monitorId} />
      )}
    </div>
  )
}

/** The monitor's form chooses among contacts. Without any, the first one is created. */
function Remedy({ hasNone, monitorId }: { hasNone: boolean; monitorId: string }) {
  const hasContacts = (useRead('GET /alert-contacts', {}).data?.data ?? []).length > 0
  if (!hasNone)
    return (
      <ButtonLink size="sm" to={PATHS.alertContacts}>
        {text.view}
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
