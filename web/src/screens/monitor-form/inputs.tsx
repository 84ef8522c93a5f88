// Inputs for a form whose state is one object. Each finds its field by name.
import type { ComponentProps, ReactNode } from 'react'
import type { MonitorDraft } from '../../shared/monitor-draft.ts'
import { type Control, Field } from '../../ui/field.tsx'
import './monitor-form.css'

export type Form = {
  draft: MonitorDraft
  change: (part: Partial<MonitorDraft>) => void
  at: (path: string) => string | undefined
}

type TextKey = {
  [K in keyof MonitorDraft]: MonitorDraft[K] extends string ? K : never
}[keyof MonitorDraft]
type BaseProps = {
  form: Form
  name: keyof MonitorDraft
  /** The field of the API, if it has another name. */
  path?: string
  label: ReactNode
  hint?: ReactNode
  optional?: boolean
  className?: string
}

function LabeledField({
  form,
  name,
  path = name,
  children,
  ...rest
}: BaseProps & { children: (control: Control) => ReactNode }) {
  return (
    <Field problem={form.at(path)} {...rest}>
      {children}
    </Field>
  )
}

type TextProps = BaseProps & {
  name: TextKey
  unit?: string
  /** Gets the focus when the form appears. */
  isFirst?: boolean
} & Pick<ComponentProps<'input'>, 'placeholder' | 'inputMode' | 'maxLength' | 'onBlur'>

export function Text({
  unit,
  isFirst,
  placeholder,
  inputMode,
  maxLength,
  onBlur,
  ...base
}: TextProps) {
  const { form, name } = base
  return (
    <LabeledField {...base}>
      {(control) => {
        const input = (
          <input
            {...control}
            className={unit ? 'input num' : 'input'}
            {...(unit ? { inputMode: 'numeric' as const } : inputMode && { inputMode })}
            {...{ placeholder, maxLength, onBlur }}
            {...(isFirst && { 'data-first-field': true })}
            spellCheck={false}
            value={form.draft[name]}
            onChange={(event) => form.change({ [name]: event.currentTarget.value })}
          />
        )
        return unit === undefined ? (
          input
        ) : (
          <div className="affix">
            {input}
            <span className="unit">{unit}</span>
          </div>
        )
      }}
    </LabeledField>
  )
}

export function Area({
  rows = 3,
  placeholder,
  ...base
}: BaseProps & { name: TextKey; rows?: number; placeholder?: string }) {
  const { form, name } = base
  return (
    <LabeledField {...base}>
      {(control) => (
        <textarea
          {...control}
          className="textarea mono"
          rows={rows}
          placeholder={placeholder}
          spellCheck={false}
          value={form.draft[name]}
          onChange={(event) => form.change({ [name]: event.currentTarget.value })}
        />
      )}
    </LabeledField>
  )
}

type PickProps = BaseProps & {
  options: readonly (readonly [value: string | number, label: string])[]
}

export function Pick({ options, ...base }: PickProps) {
  const { form, name } = base
  const isNumber = typeof form.draft[name] === 'number'
  return (
    <LabeledField {...base}>
      {(control) => (
        <select
          {...control}
          className="select"
          value={String(form.draft[name])}
          onChange={({ currentTarget: { value } }) =>
            form.change({ [name]: isNumber ? Number(value) : value })
          }
        >
          {options.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      )}
    </LabeledField>
  )
}
