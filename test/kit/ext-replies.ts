// What each operation of the extension API answers, read from its document: every promised field, and no other.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { ApiResponse } from './response.ts'

type Node = Record<string, unknown>
type Described = { operationId: string; responses: Record<string, { content?: Content }> }
type Content = { 'application/json': { schema: { $ref: string } } }
type Document = {
  paths: Record<string, Record<string, Described>>
  components: { schemas: Record<string, Node> }
}

const FILE = join(import.meta.dirname, '../../openapi-ext.json')
const document = JSON.parse(readFileSync(FILE, 'utf8')) as Document

export type ExtOperation = { id: string; method: string; path: string }

export const EXT_OPERATIONS: readonly ExtOperation[] = Object.entries(document.paths).flatMap(
  ([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => ({
      id: operationId,
      method: method.toUpperCase(),
      path,
    })),
)

const ajv = new Ajv2020({ strict: false, allErrors: true, formats: { 'date-time': true } })
const validators = new Map<string, ValidateFunction>()

const REPLIES = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { operationId, responses }]) => {
    const [status = '', reply] = Object.entries(responses).find(([code]) => code < '300') ?? []
    const ref = reply?.content?.['application/json'].schema.$ref ?? ''
    return {
      id: operationId,
      method: method.toUpperCase(),
      status: Number(status),
      pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
      ref,
    }
  }),
)

export function assertExtReply(method: string, path: string, response: ApiResponse): void {
  const reply = REPLIES.find((one) => one.method === method && one.pattern.test(path))
  assert.ok(reply, `${method} ${path} succeeded, but openapi-ext.json does not have it`)
  assert.equal(response.status, reply.status, reply.id)
  const validate = validatorFor(reply.ref)
  const isRight = validate(response.json)
  assert.ok(isRight, `${reply.id}: ${ajv.errorsText(validate.errors)}`)
}

// Compiled when it is needed: every test that uses a client loads this file, and few use the extension API.
function validatorFor(ref: string): ValidateFunction {
  if (validators.size === 0)
    ajv.addSchema({ components: { schemas: closeAll(document.components.schemas) } }, 'ext')
  const validate = validators.get(ref) ?? ajv.compile({ $ref: `ext${ref}` })
  validators.set(ref, validate)
  return validate
}

/** Answers may grow for clients; a test notices. */
function closeAll(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closeAll)
  if (typeof node !== 'object' || node === null) return node
  const copy = Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, closeAll(value)]),
  )
  const isObject = 'properties' in copy && !('additionalProperties' in copy)
  return isObject ? { ...copy, additionalProperties: false } : copy
}
