import { Plus } from 'lucide-react'
import { useState } from 'react'
import type { ResponseOf } from '../../api/contract.ts'
import { useShortcuts } from '../../session/keyboard.ts'
import { useMay, useOrganization } from '../../session/organization.ts'
import { toast } from '../../session/toast.ts'
import { useRead, useWrite } from '../../session/use-api.ts'
import { useAddress } from '../../ui/address.ts'
import { Button, Keys } from '../../ui/button.tsx'
import { Empty, Loaded, SkeletonRows } from '../../ui/loading.tsx'
import { Confirm } from '../../ui/overlay/dialog.tsx'
import { Page } from '../../ui/page.tsx'
import { Segment } from '../../ui/segment.tsx'
import { type ApiKeyView, isLive } from './key.ts'
import { KeyForm } from './key-form.tsx'
import { type KeyActions, KeyRow } from './key-row.tsx'
import { NewKey } from './new-key.tsx'
import { ReplaceKey } from './replace-key.tsx'
import './api-keys.css'

const ADDRESS = { show: 'live', new: '' }

export function ApiKeys() {
  const { name } = useOrganization()
  const may = useMay('ADMIN')
  const [address, go] = useAddress(ADDRESS)
  const keys = useRead('GET /keys', {})
  const { actions, dialogs, show } = useKeyDialogs()
  const open = () => go({ new: '1' })
  const close = () => go({ new: '' }, { replace: true })
  useShortcuts(may ? [{ keys: 'n', label: 'New API key', group: 'This screen', run: open }] : [])
  return (
    <Page
      title="API keys"
      about={`Each key belongs to ${name} alone and counts its own requests.`}
      actions={
        may && (
          <Button kind="primary" onClick={open}>
            <Plus className="icon" aria-hidden="true" />
            New key <Keys of="N" />
          </Button>
        )
      }
    >
      <KeyTable keys={keys} all={address.show === 'all'} actions={may ? actions : undefined} />
      {may && address.new !== '' && (
        <KeyForm
          onClose={close}
          onCreated={(created) => {
            close()
            show(created)
          }}
        />
      )}
      {dialogs}
    </Page>
  )
}

type KeyTableProps = {
  keys: ReturnType<typeof useRead<'GET /keys'>>
  all: boolean
  actions: KeyActions | undefined
}

function KeyTable({ keys, all, actions }: KeyTableProps) {
  const every = keys.data?.data ?? []
  const shown = all ? every : every.filter(isLive)
  return (
    <section className="card" aria-labelledby="keys">
      <header>
        <h2 id="keys">Keys</h2>
        <Segment
          label="Which keys"
          name="show"
          value={all ? 'all' : 'live'}
          options={[
            { value: 'live', label: <Counted word="In use" count={every.filter(isLive).length} /> },
            { value: 'all', label: <Counted word="All" count={every.length} /> },
          ]}
        />
      </header>
      <table className="table keys">
        <thead>
          <tr>
            <th>Name</th>
            <th className="hide-phone">Access</th>
            <th className="hide-phone">Expires</th>
            <th className="hide-phone">Last used</th>
            <th className="hide-phone">Made by</th>
            <th>State</th>
            <th>
              <span className="sr">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          <Loaded
            query={keys}
            loading={
              <SkeletonRows rows={4} widths={['50%', '40%', '40%', '40%', '50%', '40%', '']} />
            }
          >
            {() => shown.map((key) => <KeyRow key={key.id} of={key} actions={actions} />)}
          </Loaded>
        </tbody>
      </table>
      {keys.data && shown.length === 0 && (
        <Empty title="No keys yet">
          A key lets a program of yours create monitors, read results and post incidents.
        </Empty>
      )}
    </section>
  )
}

function Counted({ word, count }: { word: string; count: number }) {
  return (
    <>
      {word} <span className="count">{count}</span>
    </>
  )
}

type CreatedKey = { created: ResponseOf<'POST /keys'>; note?: string | undefined }

/** The dialogs opened from a key's menu. */
function useKeyDialogs() {
  const [replacing, setReplacing] = useState<ApiKeyView>()
  const [revoking, setRevoking] = useState<ApiKeyView>()
  const [created, setCreated] = useState<CreatedKey>()
  const change = useWrite('PATCH /keys/{keyId}', {
    onDone: ({ name, state }) => toast(`${name} is ${state === 'ACTIVE' ? 'enabled' : 'disabled'}`),
  })
  const revoke = useWrite('DELETE /keys/{keyId}', {
    onDone: () => {
      toast(`${revoking?.name} is revoked`)
      setRevoking(undefined)
    },
  })
  const actions: KeyActions = {
    replace: setReplacing,
    revoke: setRevoking,
    switchTo: ({ id }, enabled) => change.mutate({ params: { keyId: id }, body: { enabled } }),
  }
  const dialogs = (
    <>
      {replacing && (
        <ReplaceKey
          of={replacing}
          onClose={() => setReplacing(undefined)}
          onCreated={(next, hours) => {
            setReplacing(undefined)
            setCreated({ created: next, note: graceNote(hours) })
          }}
        />
      )}
      <Confirm
        open={revoking !== undefined}
        onClose={() => setRevoking(undefined)}
        title={`Revoke “${revoking?.name ?? ''}”?`}
        about="Programs that use it are refused from now on. It cannot be brought back; what it did stays in the audit log."
        action="Revoke key"
        busy={revoke.isPending}
        run={() => revoking && revoke.mutate({ params: { keyId: revoking.id } })}
      />
      {created && <NewKey {...created} onClose={() => setCreated(undefined)} />}
    </>
  )
  return { actions, dialogs, show: (next: CreatedKey['created']) => setCreated({ created: next }) }
}

const graceNote = (hours: number) =>
  hours === 0
    ? 'The old key has ended.'
    : `The old key works for ${hours === 1 ? 'one more hour' : `${hours} more hours`}.`
