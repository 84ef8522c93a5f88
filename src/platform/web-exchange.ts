// A request and its response as plain values, for modules that decide the response but open no sockets.

export type WebRequest = {
  method: string
  /** Lower case, without a port. Empty if the client sent none. */
  host: string
  path: string
  query: string
  headers: Readonly<Record<string, string | string[] | undefined>>
  /** The client's address, as seen through trusted proxies. */
  clientAddress: string
  requestId: string
  /** The body as text; undefined if it is longer than `maxBytes`. */
  readBody(maxBytes: number): Promise<string | undefined>
}

export type WebResponse = {
  status: number
  headers: Readonly<Record<string, string>>
  body: Buffer
}

export type WebHandler = (request: WebRequest) => Promise<WebResponse>
