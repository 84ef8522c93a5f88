// For operators and their tools only: liveness, readiness, metrics, and the names that may get a certificate.
import type { Server } from 'node:http'
import type { Metrics } from '../../platform/metrics/metrics.ts'
import { createServer } from '../../platform/node-http.ts'

/** `ready`: whether this process can serve. Conditions concern the whole service. */
type Readiness = () => Promise<{
  ready: boolean
  reasons: string[]
  conditions: readonly ShownCondition[]
  /** The same, under the name that it had before. */
  troubles: readonly ShownCondition[]
}>
type ShownCondition = { code: string; message: string; since: Date }
/** Whether a name is a verified custom domain; rejects when this cannot be determined right now. */
type IsDomain = (name: string) => Promise<boolean>

const ASK = '/tls/ask'

export function createInternalServer(
  registry: Metrics['registry'],
  readiness: Readiness,
  isDomain: IsDomain,
): Server {
  return createServer(async (request, response) => {
    const reply = (status: number, type: string, body: string) =>
      response.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store' }).end(body)
    const json = (status: number, body: unknown) =>
      reply(status, 'application/json', `${JSON.stringify(body)}\n`)

    const target = URL.parse(request.url ?? '', 'http://internal')
    switch (target?.pathname) {
      case ASK: {
        const domain = target.searchParams.get('domain')?.toLowerCase() ?? ''
        return isDomain(domain).then(
          (known) => json(known ? 200 : 404, { domain, known }),
          () => json(503, { domain }),
        )
      }
      case '/livez':
        return json(200, { alive: true })
      case '/readyz': {
        const state = await readiness()
        return json(state.ready ? 200 : 503, state)
      }
      case '/metrics':
        return reply(200, registry.contentType, await registry.metrics())
      default:
        return json(404, { paths: ['/livez', '/readyz', '/metrics', ASK] })
    }
  })
}
