// @upvane/sdk/webhooks: everything for a receiver of webhooks.
export {
  EVENT_TYPES,
  type EventData,
  type EventOf,
  type EventType,
  type WebhookEvent,
} from './events.ts'
export type { HeaderSource, RawBody, WebhookHeaders } from './request.ts'
export { type SignWebhookOptions, signWebhook } from './sign-webhook.ts'
export { WebhookVerificationError, type WebhookVerificationReason } from './verification-error.ts'
export { type VerifyWebhookOptions, verifyWebhook } from './verify-webhook.ts'
