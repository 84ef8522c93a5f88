// COPY … FROM STDIN on a pg client: rows as text, in one message.
import type pg from 'pg'

// Methods of pg's connection that its types do not declare.
type Wire = {
  query(text: string): void
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
}

export function copyRows(client: pg.Client, into: string, rows: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const query = {
    submit: (wire: Wire) => wire.query(`copy ${into} from stdin`),
    handleCopyInResponse(wire: Wire) {
      wire.sendCopyFromChunk(Buffer.from(rows))
      wire.endCopyFrom()
    },
    handleCommandComplete() {},
    handleReadyForQuery: () => resolve(),
    handleError: (error: Error) => reject(error),
  }
  // Safe because pg runs anything that has these methods.
  client.query(query as unknown as pg.Submittable)
  return promise
}
