// Monitors from a CSV file: first what it would create, then the monitors, in rounds.
import { IMPORT_ROUND, MAX_IMPORT_CHARACTERS } from '../../../domain/monitors/import-csv.ts'
import { MONITOR_TYPES } from '../../../domain/monitors/monitor.ts'
import { MAX_TAGS_OF_MONITOR } from '../../../domain/monitors/tag.ts'
import { MonitorCreate } from '../../public/monitor.ts'
import { closed, input, nullable, oneOf } from '../../schema.ts'
import { Type } from '../../type.ts'
import { privateOperation } from '../operation.ts'
import { tagName } from '../tags.ts'

const Problem = closed({ path: Type.String(), message: Type.String() })

/** Nothing is stored. A file that cannot be read as a whole is a problem of `csv`. */
export const previewMonitorImport = privateOperation({
  id: 'previewMonitorImport',
  method: 'POST',
  path: '/monitor-import-previews',
  who: 'MEMBER',
  keepsNothing: true,
  body: {
    schema: input({ csv: Type.String({ minLength: 1, maxLength: MAX_IMPORT_CHARACTERS }) }),
    required: true,
  },
  reply: {
    status: 200,
    body: closed({
      rows: Type.Array(
        closed({
          line: Type.Integer(),
          name: Type.String(),
          type: oneOf(MONITOR_TYPES),
          target: nullable(Type.String()),
          tags: Type.Array(Type.String()),
          /** Empty if it can be imported. */
          problems: Type.Array(Problem),
          /** There is such a monitor, or a row above is the same: it is skipped. */
          exists: Type.Boolean(),
          /** To be sent back as it is. */
          monitor: Type.Record(Type.String(), Type.Unknown()),
        }),
      ),
      /** Columns that mean nothing here. */
      ignored: Type.Array(Type.String()),
      /** How many more monitors the plan allows; null without a limit. */
      room: nullable(Type.Integer()),
    }),
  },
})

/** One round. A monitor with the same name, type and target is not created again, so it can be repeated. */
export const importMonitors = privateOperation({
  id: 'importMonitors',
  method: 'POST',
  path: '/monitor-imports',
  who: 'MEMBER',
  needsSubscription: true,
  body: {
    schema: input({
      rows: Type.Array(
        input({
          line: Type.Integer({ minimum: 1 }),
          monitor: MonitorCreate,
          tags: Type.Array(tagName, { maxItems: MAX_TAGS_OF_MONITOR, default: [] }),
        }),
        { minItems: 1, maxItems: IMPORT_ROUND },
      ),
    }),
    required: true,
  },
  reply: {
    status: 200,
    body: closed({
      created: Type.Integer(),
      existing: Type.Integer(),
      refused: Type.Array(closed({ line: Type.Integer(), message: Type.String() })),
    }),
  },
})

export const MONITOR_IMPORT_OPERATIONS = [previewMonitorImport, importMonitors] as const
