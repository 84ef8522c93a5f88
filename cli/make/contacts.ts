// Alert contacts in the schema of upvane.yaml: each channel has settings of its own.
import { AlertContactInput } from '../../src/contract/private/alert-contacts.ts'
import type { SettingField } from '../../src/domain/alerts/channels/row.ts'
import { CHANNELS, SHARED_CHANNELS } from '../../src/domain/alerts/channels.ts'
import { object, type Properties, type SchemaNode, toFileProperty, whenever } from './nodes.ts'

export function contactParts(): Properties {
  const { allMonitors: _all, settings: _settings, ...fields } = AlertContactInput.properties
  const properties = Object.fromEntries(
    Object.entries(fields).map(([name, each]) => [
      name,
      toFileProperty(each as unknown as SchemaNode),
    ]),
  )
  const settings = { type: 'object', description: 'How the channel reaches it.' }
  const byChannel = SHARED_CHANNELS.map((channel) => {
    const fitting = { $ref: `#/$defs/${settingsName(channel)}` }
    return whenever('channel', channel, { properties: { settings: fitting } })
  })
  const contact = object({ ...properties, settings }, ['name', 'channel', 'settings'])
  const parts = SHARED_CHANNELS.map((channel) => [
    settingsName(channel),
    settingsOf(CHANNELS[channel].fields),
  ])
  return { Contact: { ...contact, allOf: byChannel }, ...Object.fromEntries(parts) }
}

function settingsName(channel: string): string {
  return `Settings_${channel}`
}

function settingsOf(fields: Readonly<Record<string, SettingField>>): SchemaNode {
  const properties = Object.entries(fields).map(([name, field]): [string, SchemaNode] => [
    name,
    {
      type: 'string',
      minLength: 1,
      maxLength: field.max ?? 2048,
      ...(field.options && { enum: [...field.options] }),
      ...(field.secret && { writeOnly: true }),
      description: field.label,
    },
  ])
  // A secret may be left out of the file once it is stored.
  const required = Object.entries(fields)
    .filter(([, { optional, secret }]) => !optional && !secret)
    .map(([name]) => name)
  return object(Object.fromEntries(properties), required)
}
