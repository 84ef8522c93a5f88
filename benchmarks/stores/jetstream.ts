// NATS JetStream: a log on disk, as Kafka is one. It acknowledges batches of results; it cannot find those of a monitor.
import { connect } from '@nats-io/transport-node'
import { startNats } from '../../tools/services/nats.ts'
import { cpuMicros } from '../machine.ts'
import type { ResultLine } from './store.ts'

const SUBJECT = 'results'
const STREAM = 'RESULTS'
const TIMEOUT_MS = 5000

type JetStream = {
  append(lines: readonly ResultLine[]): Promise<void>
  cpuMicros(): number
  bytes(): Promise<number>
  stop(): Promise<void>
}

export async function startJetStream(): Promise<JetStream> {
  const server = await startNats({ config: 'max_payload: 4MB\njetstream { store_dir: "." }\n' })
  const connection = await connect({ servers: server.url })
  const ask = async <T>(subject: string, body: unknown): Promise<T> => {
    const reply = await connection.request(subject, JSON.stringify(body), { timeout: TIMEOUT_MS })
    const answer = reply.json<T & { error?: { description: string } }>()
    if (answer.error) throw new Error(answer.error.description)
    return answer
  }
  await ask(`$JS.API.STREAM.CREATE.${STREAM}`, {
    name: STREAM,
    subjects: [SUBJECT],
    storage: 'file',
    retention: 'limits',
    num_replicas: 1,
    compression: 's2',
  })
  return {
    async append(lines) {
      const reply = await connection.request(SUBJECT, lines.join('\n'), { timeout: TIMEOUT_MS })
      if (reply.json<{ seq?: number }>().seq === undefined) throw new Error(reply.string())
    },
    cpuMicros: () => cpuMicros(server.pid),
    async bytes() {
      const info = await ask<{ state: { bytes: number } }>(`$JS.API.STREAM.INFO.${STREAM}`, {})
      return info.state.bytes
    },
    async stop() {
      await connection.close()
      await server.stop()
    },
  }
}
