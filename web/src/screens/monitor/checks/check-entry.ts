import type { ItemOf } from '../../../api/contract.ts'

export type CheckEntry = ItemOf<'GET /monitors/{monitorId}/checks'>
