// For operators and their machines only: is it alive, can it serve, what does it measure.
import { createServer, type Server } from 'node:http'
import type { Metrics } from '../platform/metrics.ts'

export type Readiness = () => Promise<{ ready: boolean; reasons: string[] }>

export function createInternalServer(registry: Metrics['registry'], readiness: Readiness): Server {
  return createServer(async (request, response) => {
    const reply = (status: number, type: string, body: string) =>
      response.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store' }).end(body)
    const json = (status: number, body: unknown) =>
      reply(status, 'application/json', `${JSON.stringify(body)}\n`)

    switch (request.url) {
      case '/livez':
        return json(200, { alive: true })
      case '/readyz': {
        const state = await readiness()
        return json(state.ready ? 200 : 503, state)
      }
      case '/metrics':
        return reply(200, registry.contentType, await registry.metrics())
      default:
        return json(404, { paths: ['/livez', '/readyz', '/metrics'] })
    }
  })
}
