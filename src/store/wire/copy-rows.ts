// Runs COPY … FROM STDIN with rows in binary format. Many rows then share one WAL record, where INSERT writes one per
// row.
import type pg from 'pg'

// The hooks below are pg's documented way to submit a query object, but its types omit them.
type Connection = {
  query(text: string): void
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
  stream: { cork(): void; uncork(): void }
}

class CopyRows {
  readonly #text: string
  readonly #rows: Buffer
  /** pg wraps the callback to add a timeout, so always call it through this property. */
  callback: (error: unknown) => void

  constructor(text: string, rows: Buffer, callback: (error: unknown) => void) {
    this.#text = text
    this.#rows = rows
    this.callback = callback
  }

  // Sends everything at once. A server that rejects the command skips what follows it.
  submit(connection: Connection): void {
    connection.stream.cork()
    connection.query(this.#text)
    connection.sendCopyFromChunk(this.#rows)
    connection.endCopyFrom()
    connection.stream.uncork()
  }

  handleCopyInResponse(): void {}

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.callback(null)
  }

  handleError(error: unknown): void {
    this.callback(error)
  }
}

export function copyRows(client: pg.ClientBase, text: string, rows: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const done = (error: unknown) => (error ? reject(error) : resolve())
    client.query(new CopyRows(text, rows, done) as unknown as pg.Submittable)
  })
}
