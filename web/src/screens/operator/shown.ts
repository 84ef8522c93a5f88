import type { ResponseOf } from '../../api/contract.ts'

export type Installation = ResponseOf<'GET /operator/installation'>
