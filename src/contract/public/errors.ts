// Every way a request can fail. Clients branch on the code; the message may be reworded at any time.
import { closed, oneOf } from '../schema.ts'
import { Type } from '../type.ts'

type ErrorInfo = { status: number; title: string; meaning: string }

export const ERRORS = {
  validation_error: {
    status: 400,
    title: 'Invalid input',
    meaning:
      'The JSON, content type, query, path or body is not valid. `details` names each problem.',
  },
  invalid_idempotency_key: {
    status: 400,
    title: 'Invalid Idempotency-Key',
    meaning: 'The Idempotency-Key is empty, longer than 200 characters or has other characters.',
  },
  unauthorized: {
    status: 401,
    title: 'Not authenticated',
    meaning: 'The API key is missing, expired, disabled or not valid.',
  },
  forbidden: {
    status: 403,
    title: 'Not allowed',
    meaning: 'The key is read-only, or may not do this.',
  },
  not_found: {
    status: 404,
    title: 'Not found',
    meaning: 'There is no such endpoint, or no such resource in this organization.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    meaning: 'The path exists, but not for this method. The Allow header lists the methods.',
  },
  conflict: {
    status: 409,
    title: 'Conflict',
    meaning: 'The request conflicts with the current state, such as checking a paused monitor.',
  },
  idempotency_conflict: {
    status: 409,
    title: 'Idempotency-Key used before',
    meaning: 'This Idempotency-Key was already used for different input.',
  },
  idempotency_in_progress: {
    status: 409,
    title: 'Still running',
    meaning: 'An earlier request with this Idempotency-Key is still running. Retry shortly.',
  },
  plan_limit: {
    status: 422,
    title: 'Plan limit reached',
    meaning: "The plan's allowance is used up, or the interval is faster than the plan permits.",
  },
  subscription_required: {
    status: 422,
    title: 'Subscription required',
    meaning: 'The organization has no active subscription.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    meaning:
      'The rate limit of the key is reached, or another limit that time frees. Wait for the seconds in Retry-After.',
  },
  internal_error: {
    status: 500,
    title: 'Unexpected failure',
    meaning:
      'Something failed on our side. Safe to retry with the same Idempotency-Key. If it is temporary, Retry-After has the seconds to wait.',
  },
} as const satisfies Record<string, ErrorInfo>

export type PublicErrorCode = keyof typeof ERRORS

export const ERROR_CODES = Object.keys(ERRORS) as PublicErrorCode[]

export const ErrorDetail = closed({
  path: Type.String({
    description: 'Dotted path of the field, such as `url` or `expectedStatus.0`.',
  }),
  message: Type.String({ description: 'What is wrong with it.' }),
})

export const ErrorEnvelope = closed({
  error: Type.Object(
    {
      code: oneOf(ERROR_CODES, {
        description: 'Stable and machine-readable. Branch on this, never on the message.',
      }),
      message: Type.String({ description: 'For people. May be reworded at any time.' }),
      requestId: Type.String({ description: 'Same value as the X-Request-Id header.' }),
      details: Type.Optional(
        Type.Array(ErrorDetail, {
          minItems: 1,
          maxItems: 50,
          description: 'Every problem found. Only with `validation_error`.',
        }),
      ),
    },
    { additionalProperties: false },
  ),
})
