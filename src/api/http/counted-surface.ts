import type { Surface } from './server.ts'

/** The same surface; `onAnswered` gets the status of each response, also of those the server sends for it. */
export function counted<S extends Surface>(surface: S, onAnswered: (status: number) => void): S {
  return {
    ...surface,
    serve(request, response, target) {
      response.once('finish', () => onAnswered(response.statusCode))
      return surface.serve(request, response, target)
    },
  }
}
