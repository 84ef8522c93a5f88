import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'

const TOLERANCE_SECONDS = 300
const secret = process.env['UPVANE_WEBHOOK_SECRET'] ?? ''
const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
// With an empty key anybody could sign.
if (key.length < 24) throw new Error('UPVANE_WEBHOOK_SECRET must be a whsec_… secret')

function isSigned(headers: IncomingHttpHeaders, body: Buffer): boolean {
  const timestamp = String(headers['webhook-timestamp'])
  const ageSeconds = Math.abs(Date.now() / 1000 - Number(timestamp))
  if (!(ageSeconds <= TOLERANCE_SECONDS)) return false
  const head = `${headers['webhook-id']}.${timestamp}.`
  const expected = createHmac('sha256', key).update(head).update(body).digest()
  // During a rotation there are several signatures, separated by blanks.
  return String(headers['webhook-signature'])
    .split(' ')
    .filter((entry) => entry.startsWith('v1,'))
    .map((entry) => Buffer.from(entry.slice('v1,'.length), 'base64'))
    .some((given) => given.length === expected.length && timingSafeEqual(given, expected))
}

const server = createServer(async (request, response) => {
  try {
    // The bytes as they arrived: no JSON middleware before this.
    const body = Buffer.concat(await Array.fromAsync(request))
    const signed = isSigned(request.headers, body)
    if (signed) {
      const event = JSON.parse(body.toString())
      console.log(event.id, event.type)
    }
    response.writeHead(signed ? 204 : 400).end()
  } catch (error) {
    console.error(error)
    response.writeHead(500).end()
  }
})
server.listen(Number(process.env['PORT'] ?? 9900), '127.0.0.1')
