// The roles of the service. Each can run in processes of its own.
export const ROLES = ['api', 'scheduler', 'probe', 'janitor', 'dispatcher'] as const
export type ServiceRole = (typeof ROLES)[number]

/** They exchange messages with other processes. */
export const NEEDS_BUS: ReadonlySet<ServiceRole> = new Set(['api', 'scheduler', 'probe'])
