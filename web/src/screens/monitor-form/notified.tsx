// The contacts alerted about this monitor. A new monitor alerts all of them unless changed here.
import { CHANNELS } from '../../../../src/domain/alerts/channels.ts'
import { callOrganizationApi } from '../../api/call.ts'
import { monitorFormText as text } from '../../messages/monitors/monitor-form.ts'
import { useMay } from '../../session/organization.ts'
import { useRead } from '../../session/use-api.ts'
import { Choice } from '../../ui/field.tsx'
import { Loaded, Skeleton } from '../../ui/loading.tsx'
import './monitor-form.css'

/** By contact: the changes to make. */
export type NotifiedChanges = ReadonlyMap<string, boolean>

type Props = {
  monitorId: string | undefined
  changes: NotifiedChanges
  onChange: (changes: NotifiedChanges) => void
}

export function Notified({ monitorId, changes, onChange }: Props) {
  const mayChange = useMay('ADMIN')
  const contacts = useRead('GET /alert-contacts', {})
  const screen = useRead(
    'GET /overview/monitors/{monitorId}',
    { params: { monitorId: monitorId ?? '' } },
    { enabled: monitorId !== undefined },
  )
  const attached = monitorId === undefined ? undefined : new Set(screen.data?.contacts.map(idOf))
  const isNotified = (id: string) => changes.get(id) ?? attached?.has(id) ?? true
  if (monitorId !== undefined && screen.data === undefined) return <Skeleton />
  return (
    <Loaded query={contacts} loading={<Skeleton />}>
      {({ data }) => (
        <>
          {data.length === 0 && <p className="muted">{text.noContacts}</p>}
          <div className="told">
            {data.map(({ id, name, channel, enabled }) => (
              <Choice
                key={id}
                checked={isNotified(id)}
                disabled={!mayChange}
                onChange={(notified) => onChange(new Map(changes).set(id, notified))}
                label={<bdi className="wrap-any">{name}</bdi>}
                hint={
                  enabled
                    ? CHANNELS[channel].label
                    : text.contactOff({ channel: CHANNELS[channel].label })
                }
              />
            ))}
          </div>
          {data.length > 0 && !mayChange && <p className="hint">{text.adminsChoose}</p>}
        </>
      )}
    </Loaded>
  )
}

const idOf = ({ id }: { id: string }) => id

/** Runs after the monitor is saved. */
export async function saveNotified(
  organizationId: string,
  monitorId: string,
  changes: NotifiedChanges,
): Promise<void> {
  for (const [contactId, isNotified] of changes)
    await callOrganizationApi(organizationId, 'POST /alert-contacts/{contactId}/monitors', {
      params: { contactId },
      body: { do: isNotified ? 'ATTACH' : 'DETACH', monitorIds: [monitorId] },
    })
}
