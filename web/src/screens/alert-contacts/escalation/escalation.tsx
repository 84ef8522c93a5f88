import { Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { escalationText as TEXT } from '../../../messages/connections/escalation.ts'
import { listOf } from '../../../messages/list.ts'
import { toast } from '../../../session/toast.ts'
import { useRead, useWrite } from '../../../session/use-api.ts'
import { Button } from '../../../ui/button.tsx'
import { Loaded, SkeletonRows } from '../../../ui/loading.tsx'
import { Confirm } from '../../../ui/overlay/dialog.tsx'
import type { ContactView } from '../contact.ts'
import type { PolicyView } from './policy.ts'
import { PolicyForm } from './policy-form.tsx'

type EscalationProps = { contacts: readonly ContactView[]; may: boolean }

/** Who follows if nobody acknowledges, by monitor and by tag. */
export function Escalation({ contacts, may }: EscalationProps) {
  const policies = useRead('GET /escalation-policies', { query: { limit: 100 } })
  const [edited, setEdited] = useState<{ of: PolicyView | undefined }>()
  const [removed, setRemoved] = useState<PolicyView>()
  const isEmpty = policies.data?.data.length === 0
  return (
    <section className="card" aria-labelledby="escalation">
      <header>
        <div>
          <h2 id="escalation">{TEXT.title}</h2>
          <p className="hint">{isEmpty ? TEXT.empty : TEXT.about}</p>
        </div>
        {may && (
          <Button size="sm" onClick={() => setEdited({ of: undefined })}>
            <Plus className="icon" aria-hidden="true" />
            {TEXT.create}
          </Button>
        )}
      </header>
      {!isEmpty && (
        <table className="table policies">
          <thead>
            <tr>
              <th>{TEXT.target}</th>
              <th>{TEXT.steps}</th>
              <th>
                <span className="sr">{TEXT.actions}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            <Loaded
              query={policies}
              loading={<SkeletonRows rows={2} widths={['40%', '70%', '']} />}
            >
              {({ data }) =>
                data.map((policy) => (
                  <PolicyRow
                    key={policy.id}
                    of={policy}
                    contacts={contacts}
                    may={may}
                    edit={() => setEdited({ of: policy })}
                    remove={() => setRemoved(policy)}
                  />
                ))
              }
            </Loaded>
          </tbody>
        </table>
      )}
      {edited && (
        <PolicyForm of={edited.of} contacts={contacts} onClose={() => setEdited(undefined)} />
      )}
      {removed && <Removal of={removed} onClose={() => setRemoved(undefined)} />}
    </section>
  )
}

type PolicyRowProps = EscalationProps & { of: PolicyView; edit: () => void; remove: () => void }

function PolicyRow({ of, contacts, may, edit, remove }: PolicyRowProps) {
  const names = new Map(contacts.map(({ id, name }) => [id, name]))
  return (
    <tr>
      <td>
        <bdi className="wrap-any">{of.targetName}</bdi>{' '}
        <span className="muted">{TEXT.types[of.targetType]}</span>
      </td>
      <td className="wrap-any">
        {of.steps.map(({ afterMinutes, contactIds }) => (
          <div key={afterMinutes}>
            {stepOf(
              afterMinutes,
              contactIds.flatMap((id) => names.get(id) ?? []),
            )}
          </div>
        ))}
      </td>
      <td className="ac">
        {may && (
          <div className="row">
            <Button size="sm" aria-label={TEXT.editLabel({ name: of.targetName })} onClick={edit}>
              <Pencil className="icon" aria-hidden="true" />
              {TEXT.edit}
            </Button>
            <Button
              size="sm"
              kind="danger"
              aria-label={TEXT.removeLabel({ name: of.targetName })}
              onClick={remove}
            >
              <Trash2 className="icon" aria-hidden="true" />
              {TEXT.remove}
            </Button>
          </div>
        )}
      </td>
    </tr>
  )
}

function Removal({ of, onClose }: { of: PolicyView; onClose: () => void }) {
  const remove = useWrite('DELETE /escalation-policies/{targetId}', {
    onDone: () => {
      toast(TEXT.removed({ name: of.targetName }))
      onClose()
    },
  })
  return (
    <Confirm
      open
      onClose={onClose}
      title={TEXT.removeTitle({ name: of.targetName })}
      about={TEXT.removeAbout}
      action={TEXT.removeAction}
      busy={remove.isPending}
      run={() => remove.mutate({ params: { targetId: of.id } })}
    />
  )
}

const stepOf = (minutes: number, names: readonly string[]) =>
  names.length === 0
    ? TEXT.stepWithoutContact({ minutes })
    : TEXT.step({ minutes, names: listOf(names) })
