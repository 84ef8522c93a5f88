// The least that Fastify can do. Started by engine-heartbeat.ts.
import { fastify } from 'fastify'
import { findFreePort } from '../tools/services/ports.ts'

const app = fastify()
app.get('/', async () => ({ ok: true }))
const port = await findFreePort()
await app.listen({ host: '127.0.0.1', port })
process.send?.({ port })
process.on('disconnect', () => process.exit(0))
