// The query of the metrics of an organization. Their responses are no JSON, so no API description has them.
import type { Static } from 'typebox'
import { MONITOR_STATES, MONITOR_TYPES } from '../domain/monitors/monitor.ts'
import { commaList, input } from './schema.ts'
import { Type } from './type.ts'

export const MetricsQuery = input({
  type: Type.Optional(commaList(MONITOR_TYPES, 'Only monitors of these types.')),
  state: Type.Optional(commaList(MONITOR_STATES, 'Only monitors in these states.')),
  page: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'Only monitors on the status page with this slug or id.',
    }),
  ),
})
export type MetricsFilter = Static<typeof MetricsQuery>
