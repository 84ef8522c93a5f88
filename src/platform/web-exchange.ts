// A request and its answer as plain values, for rooms that decide what to say and open no sockets.

export type WebRequest = {
  method: string
  /** Lower case, without a port; empty when the client named none. */
  host: string
  path: string
  query: string
  headers: Readonly<Record<string, string | string[] | undefined>>
  /** Who is at the other end, seen through trusted proxies. */
  clientAddress: string
  requestId: string
  /** The body as text; undefined when it is longer than `maxBytes`. */
  readBody(maxBytes: number): Promise<string | undefined>
}

export type WebResponse = {
  status: number
  headers: Readonly<Record<string, string>>
  body: Buffer
}

export type WebHandler = (request: WebRequest) => Promise<WebResponse>
