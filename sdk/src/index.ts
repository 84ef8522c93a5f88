// The client of the API. Receivers of webhooks import webhooks.ts, tests testing.ts; what none of them exports may change.
export type * from './api/incidents.ts'
export type * from './api/maintenance-windows.ts'
export type * from './api/monitors.ts'
export type * from './api/shared.ts'
export type * from './api/status-incidents.ts'
export type * from './api/status-pages.ts'
export type * from './api/webhook-deliveries.ts'
export type * from './api/webhook-endpoints.ts'
export type { Answer, Call } from './client/call.ts'
export type { CursorList, CursorPage, CursorPosition } from './client/cursor-list.ts'
export {
  ApiError,
  type ApiErrorCode,
  ConnectionError,
  isApiError,
  TimeoutError,
  UpvaneError,
} from './client/errors.ts'
export type { List, Page, PagePosition } from './client/list.ts'
export type {
  AttemptInfo,
  AttemptResult,
  CallOptions,
  Fetch,
  RateLimit,
  UpvaneOptions,
  WriteOptions,
} from './client/options.ts'
export { type ExtensionApi, type RequestOptions, Upvane } from './client/upvane.ts'
export type * from './event-shapes.ts'
export type { EventData, EventOf, EventType, WebhookEvent } from './events.ts'
/** Types of the extension API, such as `Ext.AlertContact`. */
export type * as Ext from './ext/types.ts'
