import type { Answer } from '../../api/contract.ts'

export type Screen = Answer<'GET /overview/incidents/{incidentId}'>

export const titleOf = ({ monitor, resolvedAt }: Pick<Screen, 'monitor' | 'resolvedAt'>): string =>
  `${monitor.name} ${resolvedAt === null ? 'is' : 'was'} down`
