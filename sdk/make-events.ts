// Generates the types of the 22 events from openapi.json. sdk/make-sdk.ts writes them.
import {
  nameOf,
  namesIn,
  type Openapi,
  reachableFrom,
  type Schema,
  schemaOf,
} from './make/schema.ts'
import { printBlock, printFields, printType } from './make/typescript.ts'

const HEAD =
  '// Made from openapi.json by sdk/make-events.ts. Edit the contract and make it again, not this file.\n'

/** The text of each generated file in sdk/src, by name. */
export function makeSources(openapi: Openapi): Record<string, string> {
  const events = Object.entries(openapi.webhooks).map(([type, { post }]) => ({
    type,
    summary: post.summary,
    schema: bodyOf(openapi, post.requestBody.content['application/json'].schema),
  }))
  const direct = new Set(events.flatMap(({ schema }) => namesIn(schema)))
  return {
    'event-shapes.ts': shapesFile(openapi, reachableFrom(openapi, direct)),
    'events.ts': eventsFile(events, [...direct].toSorted()),
  }
}

function shapesFile(openapi: Openapi, names: string[]): string {
  const types = names.map((name) => printType(name, schemaOf(openapi, name)))
  return [HEAD, ...types].join('\n')
}

/** An event's body may be inline or a reference. */
function bodyOf(openapi: Openapi, schema: Schema): Schema {
  return schema.$ref === undefined ? schema : schemaOf(openapi, nameOf(schema.$ref))
}

type Event = { type: string; summary: string; schema: Schema }

function eventsFile(events: Event[], imports: string[]): string {
  const envelope = events[0]?.schema.properties ?? {}
  const { type: _, data: __, ...shared } = envelope
  const required = Object.keys(shared)
  const data = events.map(({ type, summary, schema }) => {
    const value = printBlock(schema.properties?.['data'] ?? {}, '  ')
    return `  /** ${summary}. */\n  '${type}': ${value}\n`
  })
  const list = events.map(({ type }) => `  '${type}',\n`)
  return `${HEAD}import type {\n${imports.map((name) => `  ${name},\n`).join('')}} from './event-shapes.ts'

/** What each event carries, by its type. */
export type EventData = {
${data.join('')}}

export const EVENT_TYPES = [
${list.join('')}] as const satisfies readonly (keyof EventData)[]

export type EventType = (typeof EVENT_TYPES)[number]

export type EventOf<Type extends EventType> = {
${printFields({ properties: shared, required }, '  ')}  type: Type
  data: EventData[Type]
}

/** One of all events: \`switch (event.type)\` narrows the shape of \`event.data\`. */
export type WebhookEvent = { [Type in EventType]: EventOf<Type> }[EventType]
`
}
