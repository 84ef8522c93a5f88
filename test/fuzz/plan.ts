// What to send, decided before anything is sent: the same seed yields the same plans.
import fc, { type Arbitrary } from 'fast-check'
import type { Operation, Schema } from '../db-kit/openapi-document.ts'
import { mutation, nearExample, validOf } from './arbitraries.ts'
import * as hostile from './hostile.ts'
import { nullLocations, withNullAt } from './nulls.ts'

export const KEYS = ['full', 'readOnly', 'otherOrganization', 'freePlan', 'noSubscription'] as const
export type KeyName = (typeof KEYS)[number] | 'none' | 'invented' | 'both'
/** An id is chosen when the request is sent, from what exists at that time. */
export type IdChoice = { kind: 'own' | 'foreign' | 'unknown' | 'otherKind'; index: number } | OddId
export type OddId = { kind: 'odd'; text: string }

export type Plan = {
  operation: Operation
  method: string
  /** Undefined for the path of the operation. */
  path?: string
  key: KeyName
  bearer: boolean
  ids: IdChoice
  query: string
  headers: Record<string, string | string[]>
  contentType: string | undefined
  body: string | Buffer | undefined
}

type Inputs = Pick<Plan, 'query' | 'contentType' | 'body'>

const JSON_TYPE = 'application/json'
const REUSED_KEYS = 12

export function planOf(operation: Operation): Arbitrary<Plan> {
  const sound = planWith(operation, fc.constant(operation.method), soundInputs(operation))
  const odd = planWith(operation, oddMethod(operation), oddInputs(operation))
  return fc.oneof(sound, odd)
}

/** One request for each place of the body, with null there and the rest as in the example. */
export function nullPlans(operation: Operation): Plan[] {
  const { body, method } = operation
  const base = { operation, method, key: 'full' as const, bearer: false, query: '', headers: {} }
  return nullLocations(body?.schema ?? {}).map((place, index) => ({
    ...base,
    ids: { kind: 'own', index },
    contentType: JSON_TYPE,
    body: JSON.stringify(withNullAt(body?.example, place)),
  }))
}

/** Requests for paths that no operation has. */
export function strayPlan(operation: Operation): Arbitrary<Plan> {
  const plan = planWith(operation, fc.constantFrom(...hostile.ODD_METHODS), oddInputs(operation))
  return fc
    .tuple(plan, fc.constantFrom(...hostile.ODD_PATHS))
    .map(([stray, path]) => ({ ...stray, path: encodeURI(path) }))
}

function planWith(
  operation: Operation,
  method: Arbitrary<string>,
  inputs: Arbitrary<Inputs>,
): Arbitrary<Plan> {
  return fc
    .record({ method, key, bearer: fc.boolean(), ids, headers, inputs })
    .map(({ inputs: given, ...rest }) => ({ operation, ...rest, ...given }))
}

const key: Arbitrary<KeyName> = fc.oneof(
  { weight: 14, arbitrary: fc.constant('full' as const) },
  { weight: 6, arbitrary: fc.constantFrom(...KEYS) },
  { weight: 2, arbitrary: fc.constantFrom('none' as const, 'invented' as const, 'both' as const) },
)

const ids: Arbitrary<IdChoice> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.nat().map((index) => ({ kind: 'own' as const, index })),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('foreign' as const, 'unknown' as const, 'otherKind' as const),
      index: fc.nat(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(...hostile.ODD_IDS).map((text) => ({ kind: 'odd' as const, text })),
  },
)

const idempotencyKey: Arbitrary<Record<string, string | string[]>> = fc.oneof(
  { weight: 5, arbitrary: fc.constant({}) },
  {
    weight: 3,
    arbitrary: fc
      .integer({ min: 0, max: REUSED_KEYS })
      .map((number) => ({ 'idempotency-key': `reused:${number}` })),
  },
  {
    weight: 2,
    arbitrary: fc
      .stringMatching(/^[A-Za-z0-9._:-]{1,200}$/)
      .map((text) => ({ 'idempotency-key': text })),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(...hostile.ODD_IDEMPOTENCY_KEYS).map((text) => ({
      'idempotency-key': [text, 'second'].slice(0, text.length % 2 === 0 ? 1 : 2),
    })),
  },
)

const host: Arbitrary<Record<string, string>> = fc.oneof(
  { weight: 3, arbitrary: fc.constant({}) },
  { weight: 1, arbitrary: fc.constantFrom(...hostile.ODD_HOSTS).map((text) => ({ host: text })) },
)

const headers: Arbitrary<Record<string, string | string[]>> = fc
  .tuple(
    idempotencyKey,
    host,
    fc.oneof(
      { weight: 5, arbitrary: fc.constant({}) },
      { weight: 1, arbitrary: fc.constantFrom(...hostile.ODD_HEADERS) },
    ),
  )
  .map(([first, second, third]) => ({ ...first, ...second, ...third }))

function soundInputs(operation: Operation): Arbitrary<Inputs> {
  return fc.record({
    query: soundQuery(operation),
    contentType: fc.constant(operation.body ? JSON_TYPE : undefined),
    body: soundBody(operation).map((body) => (body === undefined ? body : JSON.stringify(body))),
  })
}

function soundBody({ body }: Operation): Arbitrary<object | undefined> {
  if (body === undefined) return fc.constant(undefined)
  const given = fc.oneof(
    { weight: 3, arbitrary: nearExample(body.schema, body.example) },
    { weight: 1, arbitrary: validOf(body.schema) as Arbitrary<object> },
  )
  return body.required ? given : fc.option(given, { nil: undefined })
}

function soundQuery({ parameters }: Operation): Arbitrary<string> {
  const known = parameters.filter((parameter) => parameter.in === 'query')
  const pairs = known.map(({ name, schema }) =>
    fc.tuple(validOf(schema), fc.nat(3)).map(([value, cut]) =>
      asTexts(schema, value, cut)
        .map((text) => `${name}=${encodeURIComponent(text)}`)
        .join('&'),
    ),
  )
  return fc
    .tuple(fc.subarray([...pairs.keys()]), fc.tuple(...pairs))
    .map(([chosen, texts]) => chosen.map((index) => texts[index]).join('&'))
}

// A list is sent as one parameter with commas, as repeated parameters, or as both. A lone surrogate has no
// percent-encoding, so it can only be sent in a body.
function asTexts(schema: Schema, value: unknown, cut: number): string[] {
  if (schema['type'] !== 'array') return [String(value).toWellFormed()]
  const [alone, together] = [(value as string[]).slice(0, cut), (value as string[]).slice(cut)]
  return [...alone, ...(together.length > 0 ? [together.join(',')] : [])]
}

function oddMethod({ method }: Operation): Arbitrary<string> {
  return fc.oneof(
    { weight: 5, arbitrary: fc.constant(method) },
    { weight: 1, arbitrary: fc.constantFrom(...hostile.ODD_METHODS) },
  )
}

function oddInputs(operation: Operation): Arbitrary<Inputs> {
  return fc.record({
    query: fc.oneof(
      soundQuery(operation),
      fc.constantFrom(...hostile.ODD_QUERIES),
      fc.webQueryParameters(),
    ),
    contentType: fc.oneof(
      { weight: 6, arbitrary: fc.constant<string | undefined>(JSON_TYPE) },
      { weight: 1, arbitrary: fc.constantFrom(undefined, ...hostile.ODD_CONTENT_TYPES) },
    ),
    body: fc.oneof(
      { weight: 4, arbitrary: mutatedBody(operation) },
      { weight: 1, arbitrary: fc.constantFrom(undefined, ...hostile.HOSTILE_BODIES) },
    ),
  })
}

function mutatedBody(operation: Operation): Arbitrary<string> {
  return fc
    .tuple(soundBody(operation), fc.array(mutation, { minLength: 1, maxLength: 3 }), fc.nat(30))
    .map(([body, mutations, cut]) => {
      const text = JSON.stringify(mutations.reduce((at, mutate) => mutate(at), body ?? {}))
      return cut === 0 ? text.slice(0, -1) : text
    })
}
