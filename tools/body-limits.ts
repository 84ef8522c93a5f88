// How large the body of an operation may be: for tests that send as much as is accepted.
import { bodyBounds } from '../src/api/http/bind.ts'
import type { BodyBounds } from '../src/api/http/input/body-bounds.ts'
import { EXT_OPERATIONS } from '../src/contract/ext/operations.ts'
import { PRIVATE_OPERATIONS } from '../src/contract/private/operations.ts'
import { OPERATIONS } from '../src/contract/public/operations.ts'

const ALL = [...OPERATIONS, ...EXT_OPERATIONS, ...PRIVATE_OPERATIONS]

export function bodyLimitsOf(operationId: string): BodyBounds {
  const operation = ALL.find(({ id }) => id === operationId)
  if (operation?.body === undefined) throw new Error(`no body: ${operationId}`)
  return bodyBounds(operation)
}
