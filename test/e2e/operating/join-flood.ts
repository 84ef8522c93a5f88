// Somebody else's machine: floods with requests to join under several tokens, at the lowest priority of this machine.
// Reads a FloodPlan on standard input. Prints a line when all tokens are connected, and one with FloodResult[] at the end.
import { constants, setPriority } from 'node:os'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { connect, jwtAuthenticator, type NatsConnection } from '@nats-io/transport-node'

export type FloodPlan = {
  url: string
  caFile: string
  forMs: number
  tokens: { id: string; jwt: string; seed: string; body: string }[]
}
export type FloodResult = { sent: number; tookMs: number }
type Token = FloodPlan['tokens'][number]

/** Sent between two round trips, more than any honest machine asks in a minute. */
export const FLOOD = 500

async function main(): Promise<void> {
  const plan = JSON.parse(await text(process.stdin)) as FloodPlan
  const held = await Promise.all(plan.tokens.map((token) => hold(plan, token)))
  // NATS gives a handshake two seconds, which is too little at the lowest priority of a busy machine.
  setPriority(constants.priority.PRIORITY_LOW)
  process.stdout.write('connected\n')
  const results = await Promise.all(
    plan.tokens.map((token, i) => flood(plan, token, held[i] as NatsConnection)),
  )
  process.stdout.write(`${JSON.stringify(results)}\n`)
}

const hold = ({ url, caFile }: FloodPlan, { jwt, seed }: Token) =>
  connect({
    servers: url,
    authenticator: jwtAuthenticator(jwt, Buffer.from(seed)),
    tls: { caFile },
    timeout: 10_000,
    reconnect: false,
  })

/** As fast as the server takes them, until NATS refuses the token. */
async function flood(plan: FloodPlan, token: Token, first: NatsConnection): Promise<FloodResult> {
  let sent = 0
  const startedMs = performance.now()
  const tookMs = () => performance.now() - startedMs
  let connection: NatsConnection | undefined = first
  // NATS may end a connection that sends so fast: the next one goes on.
  while (connection !== undefined && tookMs() < plan.forMs) {
    connection.subscribe(inboxOf(token), { callback: () => {} })
    while (tookMs() < plan.forMs && !connection.isClosed()) {
      send(connection, token)
      sent += FLOOD
      // The client drops the promises of a connection that ends.
      await Promise.race([connection.flush(), connection.closed(), delay(1000)]).catch(() => {})
    }
    await connection.close().catch(() => {})
    connection = await hold(plan, token).catch(() => undefined)
  }
  await connection?.close()
  return { sent, tookMs: tookMs() }
}

const inboxOf = ({ id }: Token) => `upvane.inbox.join-${id}.a`

function send(connection: NatsConnection, token: Token): void {
  const reply = inboxOf(token)
  for (let i = 0; i < FLOOD; i++)
    connection.publish(`upvane.requests.join.${token.id}`, token.body, { reply })
}

if (import.meta.main) await main()
