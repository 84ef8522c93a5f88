// Which resource a configuration file manages. The files are sources; a binding is one of their entries.
import type { Static } from 'typebox'
import {
  LATEST_CHANGES,
  MAX_ADDRESS_CHARACTERS,
  MAX_BINDINGS,
  MAX_DIGEST_CHARACTERS,
  MAX_ECHOED,
} from '../../domain/sources/binding.ts'
import {
  closed,
  Deleted,
  id,
  input,
  nullable,
  orNull,
  timestamp,
  VISIBLE_ASCII,
} from '../schema.ts'
import { Type } from '../type.ts'
import { extOperation } from './operation.ts'

const tag = 'Sources'
const SourceParams = Type.Object({
  source: id('Name of the source: up to 100 letters, digits and `._/@:-`.'),
})

const ABOUT = {
  address: 'Its place in the source, such as `monitors.checkout`.',
  id: 'Id of the resource. Null if it does not exist yet, or was deleted on purpose.',
  generation:
    'Grows each time the resource is to be created again. Make it part of the idempotency key of the create.',
  digest: 'A salted digest of secrets that cannot be read back. Null for read-only keys.',
}

export const Binding = closed({
  address: Type.String({ description: ABOUT.address }),
  id: nullable(Type.String({ description: ABOUT.id })),
  generation: Type.Integer({ description: ABOUT.generation }),
  digest: nullable(Type.String({ description: ABOUT.digest })),
})

/** From the audit log. */
export const LastChange = closed({
  at: timestamp('When it was changed.'),
  by: Type.String({ description: 'Name of the person or key that changed it.' }),
})

export const BindingDetail = closed({
  ...Binding.properties,
  lastChange: orNull(
    LastChange,
    `Who last changed the resource, whether by the file or not. Null for read-only keys, and if it is not among the latest ${LATEST_CHANGES / 1000},000 entries of the audit log.`,
  ),
})

export const SourceBindings = closed({
  source: Type.String({ description: 'Name of the source.' }),
  revision: Type.Integer({ description: 'Grows with every change. 0 before the first.' }),
  updatedAt: nullable(timestamp('When it was last changed. Null before the first change.')),
  bindings: Type.Array(BindingDetail, { description: 'All bindings, by address.' }),
  otherSources: Type.Array(Type.String(), {
    description: 'Names of the other sources of the organization.',
  }),
})

export const SourceChange = closed({
  source: Type.String({ description: 'Name of the source.' }),
  revision: Type.Integer({ description: 'The new revision.' }),
  updatedAt: timestamp('When it was changed.'),
  changed: Type.Array(Binding, {
    description: `Bindings that are new or differ, by address. If there are more than ${MAX_ECHOED}, only those that got a generation now, without digests.`,
  }),
  removed: Type.Integer({ description: 'How many bindings are gone.' }),
})

export const BindingInput = input({
  address: Type.String({
    minLength: 3,
    maxLength: MAX_ADDRESS_CHARACTERS,
    pattern: VISIBLE_ASCII,
    description: `${ABOUT.address} Visible ASCII characters.`,
  }),
  id: nullable(
    Type.String({
      maxLength: 64,
      pattern: VISIBLE_ASCII,
      default: null,
      description: `${ABOUT.id} A monitor, alert contact, tag, status page, maintenance window or webhook endpoint.`,
    }),
  ),
  generation: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description:
        'Left out, it is kept; a new address, and one whose id becomes null, gets a new one.',
    }),
  ),
  digest: Type.Optional(
    nullable(
      Type.String({
        minLength: 1,
        maxLength: MAX_DIGEST_CHARACTERS,
        pattern: VISIBLE_ASCII,
        description: 'Left out, it is kept. Null deletes it. Visible ASCII characters.',
      }),
    ),
  ),
})
export const SourceBindingsInput = input({
  revision: Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'The revision you have read. 409 `conflict` if it has moved since.',
  }),
  bindings: Type.Array(BindingInput, {
    maxItems: MAX_BINDINGS,
    description: 'All bindings. One that you leave out is removed; its resource stays.',
  }),
})

const SOURCE = 'shop/upvane.yaml'
const BINDING: Static<typeof Binding> = {
  address: 'monitors.checkout',
  id: 'mon_01m7e3dhx0e008000mxrf1bnxa',
  generation: 1_794_696_000_000,
  digest: null,
}
const STATE = {
  source: SOURCE,
  revision: 1_794_696_000_000,
  updatedAt: '2026-11-14T22:40:00.000Z',
}

export const getSourceBindings = extOperation({
  id: 'getSourceBindings',
  method: 'GET',
  path: '/api/ext/v1/sources/{source}/bindings',
  tag,
  summary: 'Get the bindings of a source',
  description:
    'All bindings in one response. A source that was never written has revision 0 and none. Digests and names are only shown to full keys.',
  params: SourceParams,
  reply: {
    status: 200,
    description: 'The bindings.',
    body: SourceBindings,
    example: {
      ...STATE,
      bindings: [{ ...BINDING, lastChange: { at: '2026-11-14T22:40:00.000Z', by: 'Ana' } }],
      otherSources: ['billing/upvane.yaml'],
    },
  },
})

export const putSourceBindings = extOperation({
  id: 'putSourceBindings',
  method: 'PUT',
  path: '/api/ext/v1/sources/{source}/bindings',
  tag,
  summary: 'Replace the bindings of a source',
  description:
    'Creates the source if there is none. A resource belongs to one source: 409 `conflict` if another one has it, or if `revision` has moved. An id that the organization does not have is refused with 400, unless the source has it already.',
  params: SourceParams,
  body: {
    schema: SourceBindingsInput,
    required: true,
    isLong: true,
    example: { revision: 0, bindings: [{ address: BINDING.address, id: BINDING.id }] },
  },
  reply: {
    status: 200,
    description: 'The new revision, and what changed.',
    body: SourceChange,
    example: { ...STATE, changed: [BINDING], removed: 0 },
  },
})

export const deleteSource = extOperation({
  id: 'deleteSource',
  method: 'DELETE',
  path: '/api/ext/v1/sources/{source}',
  tag,
  summary: 'Delete a source',
  description: 'Deletes its bindings. The resources stay and are managed by nobody.',
  params: SourceParams,
  reply: {
    status: 200,
    description: 'The source is deleted.',
    body: Deleted,
    example: { data: { id: SOURCE } },
  },
})

export const SOURCE_OPERATIONS = [getSourceBindings, putSourceBindings, deleteSource] as const
