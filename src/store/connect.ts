// One connection of its own, for what does not go through a pool. It fails soon and says why.
import pg from 'pg'

export const CONNECT_TIMEOUT_MS = 5_000

/** A server that accepts the connection and never speaks fails as one that cannot be reached. */
export async function openClient(config: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client({ connectionTimeoutMillis: CONNECT_TIMEOUT_MS, ...config })
  await client.connect().catch((error: unknown) => {
    throw withTimeoutCode(error)
  })
  return client
}

/** The driver's own timeouts have a text and no code. */
export function withTimeoutCode(error: unknown): unknown {
  if (!(error instanceof Error) || 'code' in error || !/time(d )?out/i.test(error.message))
    return error
  const message = `no answer within ${CONNECT_TIMEOUT_MS / 1000} s`
  return Object.assign(new Error(message, { cause: error }), { code: 'ETIMEDOUT' })
}
