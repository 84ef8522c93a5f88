import { Plus, Trash2 } from 'lucide-react'
import {
  MAX_AFTER_MINUTES,
  MAX_ESCALATION_STEPS,
} from '../../../../../src/domain/alerts/escalation.ts'
import { escalationFormText as TEXT } from '../../../messages/connections/escalation.ts'
import { Button } from '../../../ui/button.tsx'
import { Choice } from '../../../ui/field.tsx'
import { GroupProblem } from '../../../ui/group-problem.tsx'
import { TextInput } from '../../../ui/inputs.tsx'
import type { ContactView } from '../contact.ts'
import { addStep, isOffered, type StepDraft } from './policy.ts'
import '../../../ui/choice.css'

type StepsFieldsProps = {
  steps: readonly StepDraft[]
  onChange: (steps: StepDraft[]) => void
  contacts: readonly ContactView[]
  at: (path: string) => string | undefined
}

export function StepsFields({ steps, onChange, contacts, at }: StepsFieldsProps) {
  const isFull = steps.length >= MAX_ESCALATION_STEPS
  const set = (own: StepDraft, change: Partial<StepDraft>) =>
    onChange(steps.map((step) => (step.key === own.key ? { ...step, ...change } : step)))
  return (
    <>
      {steps.map((step, place) => (
        <fieldset key={step.key} className="plain stack">
          <legend className="label">{TEXT.step({ number: place + 1 })}</legend>
          <TextInput
            label={TEXT.after}
            type="number"
            inputMode="numeric"
            min={1}
            max={MAX_AFTER_MINUTES}
            value={step.afterMinutes}
            onChange={(afterMinutes) => set(step, { afterMinutes })}
            problem={at(`steps.${place}.afterMinutes`)}
          />
          <Contacts
            contacts={contacts.filter(({ id }) => isOffered(steps, step, id))}
            chosen={step.contactIds}
            onChange={(contactIds) => set(step, { contactIds })}
          />
          <GroupProblem of={at(`steps.${place}.contactIds`)} />
          {steps.length > 1 && (
            <div className="row">
              <Button
                size="sm"
                kind="ghost"
                onClick={() => onChange(steps.filter(({ key }) => key !== step.key))}
              >
                <Trash2 className="icon" aria-hidden="true" />
                {TEXT.removeStep({ number: place + 1 })}
              </Button>
            </div>
          )}
        </fieldset>
      ))}
      <div className="row">
        <Button
          size="sm"
          whyNot={isFull ? TEXT.most({ steps: MAX_ESCALATION_STEPS }) : undefined}
          onClick={() => onChange(addStep(steps))}
        >
          <Plus className="icon" aria-hidden="true" />
          {TEXT.addStep}
        </Button>
      </div>
    </>
  )
}

type ContactsProps = {
  contacts: readonly ContactView[]
  chosen: readonly string[]
  onChange: (ids: string[]) => void
}

function Contacts({ contacts, chosen, onChange }: ContactsProps) {
  if (contacts.length === 0) return <p className="hint">{TEXT.noContacts}</p>
  return (
    <div className="choice-list">
      {contacts.map(({ id, name }) => (
        <Choice
          key={id}
          checked={chosen.includes(id)}
          onChange={(checked) =>
            onChange(checked ? [...chosen, id] : chosen.filter((one) => one !== id))
          }
          label={<bdi className="wrap-any">{name}</bdi>}
        />
      ))}
    </div>
  )
}
