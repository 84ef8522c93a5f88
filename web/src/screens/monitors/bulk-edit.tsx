// Changes interval, tags and contacts of many monitors. What is left as it is stays different on each of them.
import { useState } from 'react'
import { MAX_TAGS_OF_MONITOR } from '../../../../src/domain/monitors/tag.ts'
import { bulkEditText as text } from '../../messages/monitors/bulk-edit.ts'
import { useMay } from '../../session/organization.ts'
import { useRead } from '../../session/use-api.ts'
import { TagInput } from '../../shared/tag-input.tsx'
import { parseTags } from '../../shared/tags.ts'
import { formatSpan } from '../../time/format.ts'
import { Choice } from '../../ui/field.tsx'
import { SelectInput } from '../../ui/inputs.tsx'
import { FormDialog } from '../../ui/overlay/form-dialog.tsx'
import { asChange, type BulkWish } from './use-bulk.ts'

const INTERVALS = [30, 60, 120, 300, 600, 900, 1800, 3600, 21_600, 43_200, 86_400]
const KEEP = { value: '', label: text.noChange }

type Props = {
  count: number
  busy: boolean
  onClose: () => void
  onSave: (changes: BulkWish[]) => void
}
type ContactWish = 'attach' | 'detach' | ''

export function BulkEdit({ count, busy, onClose, onSave }: Props) {
  const mayChangeContacts = useMay('ADMIN')
  const tags = useRead('GET /tags', {})
  const [interval, setInterval] = useState('')
  const [added, setAdded] = useState('')
  const [removed, setRemoved] = useState<ReadonlySet<string>>(new Set())
  const [contacts, setContacts] = useState<ReadonlyMap<string, ContactWish>>(new Map())
  const names = parseTags(added)
  const tooMany = names.length > MAX_TAGS_OF_MONITOR
  const changes = changesOf({ interval, names, removed, contacts })
  return (
    <FormDialog
      onClose={onClose}
      title={text.title({ count })}
      about={text.about}
      action={text.action}
      busy={busy}
      error={null}
      fields={[]}
      onSubmit={() => (changes.length === 0 ? onClose() : !tooMany && onSave(changes))}
    >
      <SelectInput
        label={text.checkEvery}
        value={interval}
        onChange={setInterval}
        options={[
          KEEP,
          ...INTERVALS.map((seconds) => ({
            value: String(seconds),
            label: formatSpan(seconds * 1000),
          })),
        ]}
      />
      <TagInput
        label={text.addTags}
        value={added}
        onChange={setAdded}
        problem={tooMany ? text.tooManyTags({ most: MAX_TAGS_OF_MONITOR }) : undefined}
      />
      {(tags.data?.data.length ?? 0) > 0 && (
        <fieldset className="field">
          <legend className="label">{text.removeTags}</legend>
          <div className="bulk-choices">
            {tags.data?.data.map(({ id, name }) => (
              <Choice
                key={id}
                checked={removed.has(id)}
                onChange={() => setRemoved(removed.symmetricDifference(new Set([id])))}
                label={<bdi>{name}</bdi>}
              />
            ))}
          </div>
        </fieldset>
      )}
      {mayChangeContacts && <Contacts wishes={contacts} onChange={setContacts} />}
    </FormDialog>
  )
}

type ContactsProps = {
  wishes: ReadonlyMap<string, ContactWish>
  onChange: (wishes: ReadonlyMap<string, ContactWish>) => void
}

function Contacts({ wishes, onChange }: ContactsProps) {
  const { data } = useRead('GET /alert-contacts', {})
  return data?.data.map(({ id, name }) => (
    <SelectInput<ContactWish>
      key={id}
      label={<bdi>{text.alertsTo({ name })}</bdi>}
      value={wishes.get(id) ?? ''}
      onChange={(wish) => onChange(new Map(wishes).set(id, wish))}
      options={[
        { value: '', label: KEEP.label },
        { value: 'attach', label: text.send },
        { value: 'detach', label: text.doNotSend },
      ]}
    />
  ))
}

type Wishes = {
  interval: string
  names: string[]
  removed: ReadonlySet<string>
  contacts: ReadonlyMap<string, ContactWish>
}

function changesOf({ interval, names, removed, contacts }: Wishes): BulkWish[] {
  const nothing = asChange('PAUSE')
  const wanting = (wish: ContactWish) =>
    [...contacts].filter(([, one]) => one === wish).map(([id]) => id)
  const [attachContactIds, detachContactIds] = [wanting('attach'), wanting('detach')]
  const changes: (BulkWish | false)[] = [
    interval !== '' && { ...nothing, do: 'INTERVAL', intervalSeconds: Number(interval) },
    (names.length > 0 || removed.size > 0) && {
      ...nothing,
      do: 'TAGS',
      addTags: names,
      removeTagIds: [...removed],
    },
    attachContactIds.length + detachContactIds.length > 0 && {
      ...nothing,
      do: 'CONTACTS',
      attachContactIds,
      detachContactIds,
    },
  ]
  return changes.filter((change) => change !== false)
}
