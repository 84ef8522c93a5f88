// Finds the operation of a request. Paths must match exactly, including case and slashes.
import type { BaseOperation, Method } from '../../contract/operation.ts'

type Segment = { literal: string } | { parameter: string }
type Path<T> = { segments: Segment[]; byMethod: Map<Method, T> }

type RouteMatch<T> =
  | { found: 'operation'; target: T; rawParams: Record<string, string> }
  | { found: 'path'; allow: string }
  | { found: 'nothing' }

const METHOD_ORDER: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

export class Router<T extends { operation: BaseOperation }> {
  readonly #pathsByLength = new Map<number, Path<T>[]>()

  constructor(targets: readonly T[]) {
    for (const target of targets) this.#add(target)
  }

  /** `path` is the request target up to the query, not decoded. HEAD is handled like GET. */
  route(method: string, path: string): RouteMatch<T> {
    const parts = path.split('/')
    const known = this.#pathsByLength
      .get(parts.length)
      ?.find(({ segments }) => segments.every((segment, i) => fits(segment, parts[i] ?? '')))
    if (known === undefined) return { found: 'nothing' }

    const target = known.byMethod.get((method === 'HEAD' ? 'GET' : method) as Method)
    if (target === undefined) return { found: 'path', allow: allowOf(known) }
    return { found: 'operation', target, rawParams: paramsOf(known.segments, parts) }
  }

  #add(target: T): void {
    const parts = target.operation.path.split('/')
    const paths = this.#pathsByLength.get(parts.length) ?? []
    this.#pathsByLength.set(parts.length, paths)

    const segments = parts.map(toSegment)
    const same = paths.find((path) => JSON.stringify(path.segments) === JSON.stringify(segments))
    const path = same ?? { segments, byMethod: new Map<Method, T>() }
    if (same === undefined) paths.push(path)
    path.byMethod.set(target.operation.method, target)
  }
}

function toSegment(part: string): Segment {
  return part.startsWith('{') ? { parameter: part.slice(1, -1) } : { literal: part }
}

function fits(segment: Segment, part: string): boolean {
  return 'literal' in segment ? segment.literal === part : part !== ''
}

function paramsOf(segments: readonly Segment[], parts: readonly string[]): Record<string, string> {
  const params: Record<string, string> = {}
  segments.forEach((segment, i) => {
    if ('parameter' in segment) params[segment.parameter] = parts[i] ?? ''
  })
  return params
}

function allowOf<T>({ byMethod }: Path<T>): string {
  return METHOD_ORDER.filter((method) => byMethod.has(method)).join(', ')
}
