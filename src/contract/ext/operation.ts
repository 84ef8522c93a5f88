// One operation of the extension API: what keys can do beyond the 37 operations of the public API.
import type { DocumentedOperation } from '../operation.ts'
import { ORGANIZATION_PATH, type PrivateOperation } from '../private/operation.ts'

export type ExtOperation = DocumentedOperation & {
  path: `/api/ext/v1/${string}`
  /** The operation for members that it was made from. Both have one handler. */
  from?: PrivateOperation
}

export const extOperation = <const O extends ExtOperation>(o: O): O => o

type KeyDocs = Pick<ExtOperation, 'tag' | 'summary'> & {
  /** If it is not the one for members. */
  path?: ExtOperation['path']
  description?: string
  /** An example of the body, if it has one. */
  example?: unknown
  reply: { description: string; example: unknown }
}

/**
 * A private operation for keys: the same input, output and handler, and nothing about the organization in its path,
 * because a key belongs to one. A read-only key may use it if it is a GET.
 */
export function forKeys(from: PrivateOperation, docs: KeyDocs): ExtOperation {
  const { id, method, params, query, body, reply } = from
  const { example, reply: shown, path = pathForKeys(from), ...rest } = docs
  return {
    ...rest,
    id,
    method,
    path,
    ...(params && { params }),
    ...(query && { query }),
    ...(body && { body: { ...body, example } }),
    reply: { ...reply, ...shown },
    from,
  }
}

const pathForKeys = ({ path }: PrivateOperation): ExtOperation['path'] =>
  `/api/ext/v1/${path.slice(ORGANIZATION_PATH.length + 1)}`
