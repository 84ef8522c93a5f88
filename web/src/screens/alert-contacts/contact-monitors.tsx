import { useState } from 'react'
import { contactDetailText } from '../../messages/connections/contacts.ts'
import { monitorPickerText } from '../../messages/forms/monitor-picker.ts'
import { toast } from '../../session/toast.ts'
import { useRead, useWrite } from '../../session/use-api.ts'
import { MonitorPicker, usePickableMonitors } from '../../shared/monitor-picker.tsx'
import { Button } from '../../ui/button.tsx'
import { TextInput } from '../../ui/inputs.tsx'
import { Failed, Skeleton } from '../../ui/loading.tsx'
import { FormDialog } from '../../ui/overlay/form-dialog.tsx'
import type { ContactView } from './contact.ts'
import '../../ui/choice.css'

const TEXT = contactDetailText.monitors

type MonitorsProps = { of: ContactView; onClose: () => void }

/** The monitors a contact is alerted about: all at once, or one by one from the search results. */
export function Monitors({ of, onClose }: MonitorsProps) {
  const contact = useRead('GET /alert-contacts/{contactId}', { params: { contactId: of.id } })
  const [search, setSearch] = useState('')
  const found = usePickableMonitors(search)
  const [changed, setChanged] = useState<ReadonlyMap<string, boolean>>(new Map())
  const attach = useWrite('POST /alert-contacts/{contactId}/monitors', { inForm: true })
  const attached = new Set(contact.data?.monitorIds)
  const idsOf = (wanted: boolean) =>
    [...changed].filter(([, checked]) => checked === wanted).map(([id]) => id)
  const send = async (change: 'ATTACH' | 'DETACH', monitorIds: string[] | null) => {
    if (monitorIds?.length === 0) return
    await attach.mutateAsync({ params: { contactId: of.id }, body: { do: change, monitorIds } })
  }
  const finish = (steps: () => Promise<void>) =>
    void steps().then(
      () => {
        toast(TEXT.saved({ name: of.name }))
        onClose()
      },
      // The form shows the error.
      () => {},
    )
  return (
    <FormDialog
      onClose={onClose}
      title={TEXT.title}
      about={TEXT.about({ name: of.name })}
      action={TEXT.save}
      busy={attach.isPending}
      error={attach.error}
      fields={[]}
      onSubmit={() =>
        finish(async () => {
          await send('ATTACH', idsOf(true))
          await send('DETACH', idsOf(false))
        })
      }
    >
      <div className="row wrap">
        <Button size="sm" onClick={() => finish(() => send('ATTACH', null))}>
          {TEXT.all}
        </Button>
        <Button size="sm" onClick={() => finish(() => send('DETACH', null))}>
          {TEXT.none}
        </Button>
      </div>
      <TextInput
        label={monitorPickerText.search}
        type="search"
        value={search}
        onChange={setSearch}
      />
      {contact.error !== null && <Failed error={contact.error} />}
      {contact.data === undefined ? (
        <div className="choice-list whole">
          <Skeleton />
        </div>
      ) : (
        <MonitorPicker
          found={found}
          isChosen={(id) => changed.get(id) ?? attached.has(id)}
          choose={({ id }, checked) => setChanged(new Map(changed).set(id, checked))}
          chooseAll={(monitors) =>
            setChanged(new Map([...changed, ...monitors.map(({ id }) => [id, true] as const)]))
          }
        />
      )}
    </FormDialog>
  )
}
