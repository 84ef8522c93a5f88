import { useState } from 'react'
import type { ItemOf } from '../../api/contract.ts'
import { toast } from '../../session/toast.ts'
import { useRead, useWrite } from '../../session/use-api.ts'
import { Button } from '../../ui/button.tsx'
import { Choice } from '../../ui/field.tsx'
import { TextInput } from '../../ui/inputs.tsx'
import { Failed, Skeleton } from '../../ui/loading.tsx'
import { FormDialog } from '../../ui/overlay/form-dialog.tsx'
import type { ContactView } from './contact.ts'
import '../../ui/choice.css'

type Monitor = ItemOf<'GET /monitors'>

const SHOWN = 50

type MonitorsProps = { of: ContactView; onClose: () => void }

/** The monitors a contact is alerted about: all at once, or one by one from the search results. */
export function Monitors({ of, onClose }: MonitorsProps) {
  const contact = useRead('GET /alert-contacts/{contactId}', { params: { contactId: of.id } })
  const [search, setSearch] = useState('')
  const monitors = useRead('GET /monitors', { query: { limit: SHOWN, q: search } })
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
        toast(`The monitors of ${of.name} are changed`)
        onClose()
      },
      // The form shows the error.
      () => {},
    )
  const error = contact.error ?? monitors.error
  return (
    <FormDialog
      onClose={onClose}
      title="Choose monitors"
      about={`${of.name} hears of those that are marked.`}
      action="Save"
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
          Every monitor there is
        </Button>
        <Button size="sm" onClick={() => finish(() => send('DETACH', null))}>
          None
        </Button>
      </div>
      <TextInput label="Search" type="search" value={search} onChange={setSearch} />
      {error !== null && <Failed error={error} />}
      {monitors.data === undefined || contact.data === undefined ? (
        <div className="choice-list whole">
          <Skeleton />
        </div>
      ) : (
        <MonitorChoices
          monitors={monitors.data.data}
          total={monitors.data.pagination.total}
          isChosen={(id) => changed.get(id) ?? attached.has(id)}
          choose={(id, checked) => setChanged(new Map(changed).set(id, checked))}
        />
      )}
    </FormDialog>
  )
}

type MonitorChoicesProps = {
  monitors: readonly Monitor[]
  total: number
  isChosen: (id: string) => boolean
  choose: (id: string, checked: boolean) => void
}

function MonitorChoices({ monitors, total, isChosen, choose }: MonitorChoicesProps) {
  return (
    <div className="choice-list whole">
      {monitors.map(({ id, name }) => (
        <Choice
          key={id}
          checked={isChosen(id)}
          onChange={(checked) => choose(id, checked)}
          label={<bdi>{name}</bdi>}
        />
      ))}
      {total > monitors.length && (
        <p className="hint">{total - monitors.length} more; search to see them.</p>
      )}
      {total === 0 && <p className="hint">No monitor is called so.</p>}
    </div>
  )
}
