import type { BaseOperation } from '../../../contract/operation.ts'
import { REFERENCES } from '../../../contract/references.ts'
import { fromPublicId } from '../../../domain/values/id.ts'
import { notFound } from '../../../platform/api-error.ts'

type Input = { params?: Readonly<Record<string, string>> }

/**
 * Turns the ids in the path of a request into UUIDs, for its handler. What is not an id of its kind refers to nothing: 404.
 */
export function decoderOf({ path, missing }: BaseOperation): (input: unknown) => unknown {
  const references = Object.entries(REFERENCES).filter(([name]) => path.includes(`{${name}}`))
  if (references.length === 0) return (input) => input
  return (input) => {
    // Safe because the router has filled in every parameter of the path.
    const { params = {} } = input as Input
    const decoded = references.map(([name, { prefix, noun }]) => {
      const uuid = fromPublicId(prefix, params[name] ?? '')
      if (uuid === undefined) throw notFound(missing ?? noun)
      return [name, uuid]
    })
    return { ...(input as Input), params: { ...params, ...Object.fromEntries(decoded) } }
  }
}
