import { useState } from 'react'
import { type AppriseContact, readAppriseUrl } from '../../../../src/domain/alerts/apprise-url.ts'
import type { SettingField } from '../../../../src/domain/alerts/channels/row.ts'
import {
  CHANNELS,
  type ContactChannel,
  SHARED_CHANNELS,
} from '../../../../src/domain/alerts/channels.ts'
import { contactFormText as TEXT } from '../../messages/connections/contacts.ts'
import { toast } from '../../session/toast.ts'
import { ChannelIcon } from '../../shared/channel-icon.tsx'
import { SelectInput, TextArea, TextInput } from '../../ui/inputs.tsx'
import '../../ui/type-cards.css'
import './contact-form.css'

const INPUT_TYPES = { URL: 'url', EMAIL: 'email', TEXT: 'text' } as const

type ChannelChoiceProps = {
  value: ContactChannel
  /** With the settings of an Apprise URL, if one was pasted. */
  onChange: (channel: ContactChannel, settings: Record<string, string>) => void
}

export function ChannelChoice({ value, onChange }: ChannelChoiceProps) {
  return (
    <>
      <div className="types channel-cards" role="radiogroup" aria-label={TEXT.channelLabel}>
        {SHARED_CHANNELS.map((channel) => (
          <label key={channel} className="type-card">
            <input
              type="radio"
              name="channel"
              checked={value === channel}
              onChange={() => onChange(channel, {})}
            />
            <ChannelIcon of={channel} />
            {CHANNELS[channel].label}
          </label>
        ))}
      </div>
      <AppriseUrl
        onRead={({ channel, settings }) => {
          onChange(channel, { ...settings })
          toast(TEXT.apprise.read({ channel: CHANNELS[channel].label }))
        }}
      />
    </>
  )
}

type SettingsFieldsProps = {
  channel: ContactChannel
  shown: Record<string, string>
  values: Record<string, string>
  onChange: (values: Record<string, string>) => void
  at: (path: string) => string | undefined
}

/** The settings of a channel. Saved values are shown as far as the server reveals them, and may be left as they are. */
export function SettingsFields({ channel, shown, values, onChange, at }: SettingsFieldsProps) {
  return Object.entries(CHANNELS[channel].fields).map(([name, field]) => (
    <SettingInput
      key={name}
      field={field}
      kept={shown[name]}
      value={values[name]}
      onChange={(value) => onChange({ ...values, [name]: value })}
      problem={at(`settings.${name}`)}
    />
  ))
}

type SettingInputProps = {
  field: SettingField
  /** As it was saved, if it was. */
  kept: string | undefined
  /** Undefined until something is entered. */
  value: string | undefined
  onChange: (value: string) => void
  problem: string | undefined
}

const MAX_SETTING = 2048
const FEW_LINES = 3
const LINES = 8

function SettingInput(props: SettingInputProps) {
  const { options, kind } = props.field
  if (options !== undefined) return <OptionInput {...props} options={options} />
  return kind === 'LINES' ? <LinesInput {...props} /> : <LineInput {...props} kind={kind} />
}

function OptionInput({
  field: { label, optional },
  options,
  kept,
  value,
  onChange,
  problem,
}: SettingInputProps & { options: readonly string[] }) {
  // Without a choice, the first is what an optional setting means.
  const preset = optional ? (options[0] ?? '') : ''
  return (
    <SelectInput
      label={label}
      value={value ?? kept ?? preset}
      onChange={onChange}
      options={[
        ...(kept === undefined && optional === undefined
          ? [{ value: '', label: TEXT.choose }]
          : []),
        ...options.map((option) => ({ value: option, label: option })),
      ]}
      problem={problem}
    />
  )
}

/** A text that is not secret is edited as it was saved. */
function LinesInput({ field, kept, value, onChange, problem }: SettingInputProps) {
  const saved = kept ?? ''
  return (
    <TextArea
      label={field.label}
      hint={kept !== undefined && field.secret ? TEXT.kept({ value: kept }) : field.hint}
      optional={field.optional === true}
      // A text with a bound of its own is a long one.
      rows={field.max === undefined ? FEW_LINES : LINES}
      maxLength={field.max ?? MAX_SETTING}
      value={value ?? (field.secret ? '' : saved)}
      onChange={onChange}
      problem={problem}
    />
  )
}

function LineInput({
  field: { label, hint, optional, max = MAX_SETTING },
  kind,
  kept,
  value,
  onChange,
  problem,
}: SettingInputProps & { kind: keyof typeof INPUT_TYPES }) {
  return (
    <TextInput
      label={label}
      hint={kept === undefined ? hint : TEXT.kept({ value: kept })}
      type={INPUT_TYPES[kind]}
      optional={optional === true}
      required={optional === undefined && kept === undefined}
      autoComplete="off"
      spellCheck={false}
      maxLength={max}
      value={value ?? ''}
      onChange={onChange}
      problem={problem}
    />
  )
}

type AppriseUrlProps = { onRead: (contact: AppriseContact) => void }

/** An address that people have from another tool fills in the form. It is not stored. */
function AppriseUrl({ onRead }: AppriseUrlProps) {
  const [pasted, setPasted] = useState('')
  const read = (text: string) => {
    const contact = readAppriseUrl(text)
    setPasted(contact === undefined ? text : '')
    if (contact !== undefined) onRead(contact)
  }
  return (
    <TextInput
      label={TEXT.apprise.label}
      hint={TEXT.apprise.hint}
      optional
      autoComplete="off"
      spellCheck={false}
      maxLength={MAX_SETTING}
      value={pasted}
      onChange={read}
      problem={pasted.includes('://') ? TEXT.apprise.unknown : undefined}
    />
  )
}
