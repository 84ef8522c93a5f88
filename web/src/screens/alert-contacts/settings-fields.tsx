import { SelectInput, TextInput } from '../../ui/inputs.tsx'
import { CHANNELS, type ContactChannelName } from './contact.ts'

type ChannelChoiceProps = {
  value: ContactChannelName
  onChange: (channel: ContactChannelName) => void
}

export function ChannelChoice({ value, onChange }: ChannelChoiceProps) {
  return (
    <div className="types channel-cards" role="radiogroup" aria-label="Channel">
      {(Object.keys(CHANNELS) as ContactChannelName[]).map((channel) => {
        const { word, icon: Icon } = CHANNELS[channel]
        return (
          <label key={channel} className="type-card">
            <input
              type="radio"
              name="channel"
              checked={value === channel}
              onChange={() => onChange(channel)}
            />
            <Icon className="icon" aria-hidden="true" />
            {word}
          </label>
        )
      })}
    </div>
  )
}

type SettingsFieldsProps = {
  channel: ContactChannelName
  shown: Record<string, string>
  values: Record<string, string>
  onChange: (values: Record<string, string>) => void
  at: (path: string) => string | undefined
}

/** The settings of a channel. Saved values are shown as far as the server reveals them, and may be left as they are. */
export function SettingsFields({ channel, shown, values, onChange, at }: SettingsFieldsProps) {
  return CHANNELS[channel].fields.map(({ name, label, hint, type, optional, options }) => {
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
            ...(kept === undefined ? [{ value: '', label: 'Choose' }] : []),
            ...options.map((value) => ({ value, label: value })),
          ]}
          problem={problem}
        />
      )
    return (
      <TextInput
        key={name}
        label={label}
        hint={kept === undefined ? hint : `Now ${kept}. Leave it empty to keep it.`}
        type={type ?? 'text'}
        optional={optional ?? false}
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
