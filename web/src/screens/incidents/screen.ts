import type { ResponseOf } from '../../api/contract.ts'

export type IncidentScreen = ResponseOf<'GET /overview/incidents/{incidentId}'>

export const titleOf = ({
  monitor,
  resolvedAt,
}: Pick<IncidentScreen, 'monitor' | 'resolvedAt'>): string =>
  `${monitor.name} ${resolvedAt === null ? 'is' : 'was'} down`
