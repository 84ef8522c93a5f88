import { request as httpsRequest } from 'node:https'
import { request as httpRequest } from './node-http.ts'

type Post = { headers: Readonly<Record<string, string>>; body: string; timeoutMs: number }

/** Posts to a URL that the operator configured. Returns the status; ignores the body and follows no redirects. */
export function postJson(url: URL, { headers, body, timeoutMs }: Post): Promise<number> {
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest
  return new Promise((resolve, reject) => {
    const request = send(url, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'Content-Length': Buffer.byteLength(body),
        ...headers,
      },
      signal: AbortSignal.timeout(timeoutMs),
    })
    request.once('error', reject)
    request.once('response', (response) => {
      response.resume()
      response.once('error', reject)
      response.once('end', () => resolve(response.statusCode ?? 0))
    })
    request.end(body)
  })
}
