// One change to many monitors: those that are named, or all that match a filter. Starting it fixes which monitors it is
// for; each round then changes some of them, until none is left.
import { BULK_VERBS } from '../../domain/monitors/bulk.ts'
import { LISTED_STATES } from '../../domain/monitors/list-order.ts'
import { MONITOR_TYPES } from '../../domain/monitors/monitor.ts'
import { MAX_TAGS_OF_MONITOR } from '../../domain/monitors/tag.ts'
import { MonitorCreate } from '../public/monitor.ts'
import { closed, input, oneOf, patch } from '../schema.ts'
import { Type } from '../type.ts'
import { privateOperation } from './operation.ts'
import { tagName } from './tags.ts'

const MAX_NAMED = 500
const MAX_CONTACTS = 200

const PATH = '/monitor-bulks'
const BulkParams = Type.Object({ bulkId: Type.String() })
const ids = (maxItems: number) => Type.Array(Type.String(), { maxItems, default: [] })

// Without its default.
const { intervalSeconds } = patch({
  intervalSeconds: MonitorCreate.properties.intervalSeconds,
}).properties

const Bulk = closed({
  id: Type.String(),
  do: oneOf(BULK_VERBS),
  total: Type.Integer(),
  changed: Type.Integer(),
  /** Deleted in the meantime, or not possible for this monitor. */
  refused: Type.Integer(),
  left: Type.Integer(),
})

/** As in the list of monitors. */
const MonitorFilter = input({
  state: Type.Optional(
    Type.Array(oneOf(LISTED_STATES), { minItems: 1, maxItems: LISTED_STATES.length }),
  ),
  type: Type.Optional(Type.Array(oneOf(MONITOR_TYPES), { minItems: 1, maxItems: 10 })),
  tag: Type.Optional(Type.Array(Type.String(), { minItems: 1, maxItems: MAX_TAGS_OF_MONITOR })),
  q: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
})

export const startBulkChange = privateOperation({
  id: 'startBulkChange',
  method: 'POST',
  path: PATH,
  who: 'MEMBER',
  body: {
    schema: input({
      do: oneOf(BULK_VERBS),
      /** Either these, or `filter`. */
      monitorIds: Type.Optional(Type.Array(Type.String(), { minItems: 1, maxItems: MAX_NAMED })),
      filter: Type.Optional(MonitorFilter),
      /** As the person saw it: refused if more monitors match by now. */
      expected: Type.Integer({ minimum: 1 }),
      /** For INTERVAL. */
      intervalSeconds,
      /** For CONTACTS. */
      attachContactIds: ids(MAX_CONTACTS),
      detachContactIds: ids(MAX_CONTACTS),
      /** For TAGS: names that are not tags yet become tags. */
      addTags: Type.Array(tagName, { maxItems: MAX_TAGS_OF_MONITOR, default: [] }),
      removeTagIds: ids(MAX_CONTACTS),
    }),
    required: true,
  },
  reply: { status: 201, body: Bulk },
})

export const getBulkChange = privateOperation({
  id: 'getBulkChange',
  method: 'GET',
  path: `${PATH}/{bulkId}`,
  who: 'READ_ONLY',
  params: BulkParams,
  reply: { status: 200, body: Bulk },
})

/** Can be repeated: it continues where the last round ended. The audit log has the start only. */
export const continueBulkChange = privateOperation({
  id: 'continueBulkChange',
  method: 'POST',
  path: `${PATH}/{bulkId}/rounds`,
  who: 'MEMBER',
  continues: true,
  params: BulkParams,
  reply: { status: 200, body: Bulk },
})

export const MONITOR_BULK_OPERATIONS = [startBulkChange, getBulkChange, continueBulkChange] as const
