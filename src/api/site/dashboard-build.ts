import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { BUILD_HEADER, buildOf } from '../../domain/values/dashboard-build.ts'
import type { Surface } from '../http/surface.ts'

/** The same surface, whose responses say which build of the dashboard is served. */
export function namingBuild(surface: Surface, directory: string): Surface {
  const page = join(directory, 'index.html')
  const build = existsSync(page) ? buildOf(readFileSync(page, 'utf8')) : undefined
  if (build === undefined) return surface
  return {
    prefix: surface.prefix,
    serve(request, response, target) {
      response.setHeader(BUILD_HEADER, build)
      return surface.serve(request, response, target)
    },
  }
}
