import { Plus } from 'lucide-react'
import { useState } from 'react'
import type { ResponseOf } from '../../api/contract.ts'
import { newKeyText, keysText as TEXT } from '../../messages/connections/api-keys.ts'
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
import { type ApiKeyView, isActive } from './key.ts'
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
  useShortcuts(
    may ? [{ keys: 'n', label: TEXT.createShortcut, group: 'This screen', run: open }] : [],
  )
  return (
    <Page
      title={TEXT.title}
      about={TEXT.about({ organization: name })}
      actions={
        may && (
          <Button kind="primary" onClick={open}>
            <Plus className="icon" aria-hidden="true" />
            {TEXT.create} <Keys of="N" />
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
  const shown = all ? every : every.filter(isActive)
  return (
    <section className="card" aria-labelledby="keys">
      <header>
        <h2 id="keys">{TEXT.list}</h2>
        <Segment
          label={TEXT.which}
          name="show"
          value={all ? 'all' : 'live'}
          options={[
            {
              value: 'live',
              label: <Counted word={TEXT.active} count={every.filter(isActive).length} />,
            },
            { value: 'all', label: <Counted word={TEXT.all} count={every.length} /> },
          ]}
        />
      </header>
      <table className="table keys">
        <thead>
          <tr>
            <th>{TEXT.name}</th>
            <th className="hide-phone">{TEXT.access}</th>
            <th className="hide-phone">{TEXT.expires}</th>
            <th className="hide-phone">{TEXT.lastUsed}</th>
            <th className="hide-phone">{TEXT.createdBy}</th>
            <th>{TEXT.state}</th>
            <th>
              <span className="sr">{TEXT.actions}</span>
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
      {keys.data && shown.length === 0 && <Empty title={TEXT.emptyTitle}>{TEXT.emptyAbout}</Empty>}
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
    onDone: ({ name, state }) =>
      toast(state === 'ACTIVE' ? TEXT.enabled({ name }) : TEXT.disabled({ name })),
  })
  const mark = useWrite('PATCH /keys/{keyId}', {
    onDone: ({ name }) => toast(TEXT.changed({ name })),
  })
  const revoke = useWrite('DELETE /keys/{keyId}', {
    onDone: () => {
      toast(TEXT.revoking.done({ name: revoking?.name ?? '' }))
      setRevoking(undefined)
    },
  })
  const actions: KeyActions = {
    replace: setReplacing,
    revoke: setRevoking,
    switchTo: ({ id }, enabled) => change.mutate({ params: { keyId: id }, body: { enabled } }),
    allowMcp: ({ id }, mcpWrites) => mark.mutate({ params: { keyId: id }, body: { mcpWrites } }),
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
        title={TEXT.revoking.title({ name: revoking?.name ?? '' })}
        about={TEXT.revoking.about}
        action={TEXT.revoking.action}
        busy={revoke.isPending}
        run={() => revoking && revoke.mutate({ params: { keyId: revoking.id } })}
      />
      {created && <NewKey {...created} onClose={() => setCreated(undefined)} />}
    </>
  )
  return { actions, dialogs, show: (next: CreatedKey['created']) => setCreated({ created: next }) }
}

const graceNote = (hours: number) =>
  hours === 0 ? newKeyText.oldExpired : newKeyText.oldWorks({ hours })
