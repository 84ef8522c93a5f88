import type { ResponseOf } from '../../api/contract.ts'

export type MonitorScreen = ResponseOf<'GET /overview/monitors/{monitorId}'>
