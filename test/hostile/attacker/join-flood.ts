// A process that holds a token of a probe and requests to join as fast as NATS takes it, with another secret.
import { setPriority } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { connect, jwtAuthenticator, nkeys } from '@nats-io/transport-node'
import { LOWEST_PRIORITY } from './load.ts'

/** `line` is what `upvane region add` prints. */
export type JoinFlood = { url: string; caFile: string; line: string; seconds: number }
/** `refused`: how often NATS did not let the token in. */
export type JoinReport = { sent: number; refused: number }
type Token = { id: string; jwt: string; seed: string }

const AT_ONCE = 500
// In bytes before TLS: more than any honest join, less than what the token permits.
const REQUEST_BYTES = 600

async function flood({ url, caFile, line, seconds }: JoinFlood): Promise<JoinReport> {
  const body = Buffer.from(line.trim().split('.')[1] ?? '', 'base64url').toString()
  const { id, jwt, seed } = JSON.parse(body) as Token
  const publicKey = nkeys.createUser().getPublicKey()
  const wrong = { body: { id, secret: 'x'.repeat(199), publicKey } }
  const request = JSON.stringify(wrong).padEnd(REQUEST_BYTES, ' ')
  const reply = `upvane.inbox.join-${id}.a`
  const authenticator = jwtAuthenticator(jwt, Buffer.from(seed))
  const report = { sent: 0, refused: 0 }
  const endMs = performance.now() + seconds * 1000
  // NATS may end a connection that sends so fast, or refuse it: the next one goes on.
  while (performance.now() < endMs) {
    const options = { servers: url, authenticator, tls: { caFile }, reconnect: false }
    const connection = await connect(options).catch(() => undefined)
    if (connection === undefined) {
      report.refused++
      continue
    }
    connection.subscribe(reply, { callback: () => {} })
    while (performance.now() < endMs && !connection.isClosed()) {
      for (let i = 0; i < AT_ONCE; i++)
        connection.publish(`upvane.requests.join.${id}`, request, { reply })
      report.sent += AT_ONCE
      // The client drops the promises of a connection that ends.
      await Promise.race([connection.flush(), connection.closed(), delay(1000)]).catch(() => {})
    }
    await connection.close().catch(() => {})
  }
  return report
}

setPriority(LOWEST_PRIORITY)
process.once('message', (order: JoinFlood) => {
  flood(order).then(
    (report) => process.send?.(report, () => process.exit(0)),
    (error: unknown) => {
      console.error(error)
      process.exit(1)
    },
  )
})
