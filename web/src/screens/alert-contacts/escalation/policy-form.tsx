import { useState } from 'react'
import {
  escalationSentences,
  escalationFormText as TEXT,
} from '../../../messages/connections/escalation.ts'
import { monitorPickerText } from '../../../messages/forms/monitor-picker.ts'
import { toast } from '../../../session/toast.ts'
import { useRead, useWrite } from '../../../session/use-api.ts'
import { usePickableMonitors } from '../../../shared/monitor-picker.tsx'
import { fieldsOf } from '../../../ui/field.tsx'
import { SelectInput, TextInput } from '../../../ui/inputs.tsx'
import { FormDialog } from '../../../ui/overlay/form-dialog.tsx'
import type { ContactView } from '../contact.ts'
import { bodyOf, draftOf, type PolicyView } from './policy.ts'
import { StepsFields } from './steps-fields.tsx'

type PolicyFormProps = {
  /** Undefined for a new one. */
  of: PolicyView | undefined
  contacts: readonly ContactView[]
  onClose: () => void
}

type Kind = 'TAG' | 'MONITOR'

export function PolicyForm({ of, contacts, onClose }: PolicyFormProps) {
  const [kind, setKind] = useState<Kind>('TAG')
  const [targetId, setTargetId] = useState(of?.id ?? '')
  const [steps, setSteps] = useState(() => draftOf(of))
  const [isMissing, setMissing] = useState(false)
  const put = useWrite('PUT /escalation-policies/{targetId}', {
    inForm: true,
    onDone: () => {
      toast(TEXT.saved)
      onClose()
    },
  })
  const choose = (id: string) => {
    setTargetId(id)
    setMissing(false)
  }
  const problem = isMissing ? TEXT.choose : undefined
  return (
    <FormDialog
      onClose={onClose}
      title={of === undefined ? TEXT.newTitle : TEXT.editTitle({ name: of.targetName })}
      about={TEXT.about}
      action={TEXT.save}
      busy={put.isPending}
      error={put.error}
      fields={escalationSentences}
      onSubmit={() => {
        if (targetId === '') setMissing(true)
        else put.mutate({ params: { targetId }, body: bodyOf(steps) })
      }}
    >
      {of === undefined && (
        <>
          <SelectInput<Kind>
            label={TEXT.kind}
            value={kind}
            onChange={(next) => {
              setKind(next)
              choose('')
            }}
            options={[
              { value: 'TAG', label: TEXT.kinds.TAG },
              { value: 'MONITOR', label: TEXT.kinds.MONITOR },
            ]}
          />
          {kind === 'TAG' ? (
            <TagChoice value={targetId} onChange={choose} problem={problem} />
          ) : (
            <MonitorChoice value={targetId} onChange={choose} problem={problem} />
          )}
        </>
      )}
      <StepsFields
        steps={steps}
        onChange={setSteps}
        contacts={contacts}
        at={fieldsOf(put.error, escalationSentences)}
      />
    </FormDialog>
  )
}

type ChoiceProps = { value: string; onChange: (id: string) => void; problem: string | undefined }

const NOTHING = { value: '', label: TEXT.choose }

function TagChoice({ value, onChange, problem }: ChoiceProps) {
  const tags = useRead('GET /tags', {})
  const all = tags.data?.data ?? []
  return (
    <SelectInput
      label={TEXT.tag}
      value={value}
      onChange={onChange}
      options={[NOTHING, ...all.map(({ id, name }) => ({ value: id, label: name }))]}
      problem={problem}
      {...(tags.data && all.length === 0 && { hint: TEXT.noTags })}
    />
  )
}

function MonitorChoice({ value, onChange, problem }: ChoiceProps) {
  const [search, setSearch] = useState('')
  const found = usePickableMonitors(search)
  const all = found.data?.data ?? []
  return (
    <>
      <TextInput
        label={monitorPickerText.search}
        type="search"
        value={search}
        onChange={(text) => {
          setSearch(text)
          onChange('')
        }}
      />
      <SelectInput
        label={TEXT.monitor}
        value={value}
        onChange={onChange}
        options={[NOTHING, ...all.map(({ id, name }) => ({ value: id, label: name }))]}
        problem={problem}
      />
    </>
  )
}
