export type WebhookVerificationReason =
  | 'missing_header'
  | 'bad_timestamp'
  | 'too_old'
  | 'too_new'
  | 'no_matching_signature'
  | 'malformed_body'
  | 'malformed_secret'

/** `reason` is stable and for programs; the message is for people and may change. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
  readonly reason: WebhookVerificationReason

  constructor(reason: WebhookVerificationReason, message: string) {
    super(message)
    this.reason = reason
  }
}
