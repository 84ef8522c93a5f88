import {
  CHANNELS,
  type ContactChannel,
  SHARED_CHANNELS,
} from '../../../../src/domain/alerts/channels.ts'
import { contactFormText as TEXT } from '../../messages/connections/contacts.ts'
import { ChannelIcon } from '../../shared/channel-icon.tsx'
import { SelectInput, TextInput } from '../../ui/inputs.tsx'
import '../../ui/type-cards.css'
import './contact-form.css'

const INPUT_TYPES = { URL: 'url', EMAIL: 'email', TEXT: 'text' } as const

type ChannelChoiceProps = {
  value: ContactChannel
  onChange: (channel: ContactChannel) => void
}

export function ChannelChoice({ value, onChange }: ChannelChoiceProps) {
  return (
    <div className="types channel-cards" role="radiogroup" aria-label={TEXT.channelLabel}>
      {SHARED_CHANNELS.map((channel) => (
        <label key={channel} className="type-card">
          <input
            type="radio"
            name="channel"
            checked={value === channel}
            onChange={() => onChange(channel)}
          />
          <ChannelIcon of={channel} />
          {CHANNELS[channel].label}
        </label>
      ))}
    </div>
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
  return Object.entries(CHANNELS[channel].fields).map(([name, field]) => {
    const { kind, label, hint, optional = false, options } = field
    const kept = shown[name]
    const problem = at(`settings.${name}`)
    const set = (value: string) => onChange({ ...values, [name]: value })
    if (options !== undefined)
      return (
        <SelectInput
          key={name}
          label={label}
          value={values[name] ?? kept ?? ''}
          onChange={set}
          options={[
            ...(kept === undefined ? [{ value: '', label: TEXT.choose }] : []),
            ...options.map((value) => ({ value, label: value })),
          ]}
          problem={problem}
        />
      )
    return (
      <TextInput
        key={name}
        label={label}
        hint={kept === undefined ? hint : TEXT.kept(kept)}
        type={INPUT_TYPES[kind]}
        optional={optional}
        required={!optional && kept === undefined}
        autoComplete="off"
        spellCheck={false}
        maxLength={2048}
        value={values[name] ?? ''}
        onChange={set}
        problem={problem}
      />
    )
  })
}
