import type { Surface } from './surface.ts'

/** The same surface; `onResponse` gets the status of each response, including those the server sends for it. */
export function counted<S extends Surface>(surface: S, onResponse: (status: number) => void): S {
  return {
    ...surface,
    serve(request, response, target) {
      response.once('finish', () => onResponse(response.statusCode))
      return surface.serve(request, response, target)
    },
  }
}
