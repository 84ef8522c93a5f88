import { createServer } from 'node:http'
import { verifyWebhook, WebhookVerificationError } from '@upvane/sdk/webhooks'

const secret = process.env['UPVANE_WEBHOOK_SECRET'] ?? ''

const server = createServer(async (request, response) => {
  try {
    // The bytes as they arrived: no JSON middleware before this.
    const body = Buffer.concat(await Array.fromAsync(request))
    const event = await verifyWebhook({ secret, headers: request.headers, body })
    // Store event.id and the work to do, then respond. An id you already know is a duplicate.
    console.log(event.id, event.type)
    response.writeHead(204).end()
  } catch (error) {
    console.error(error instanceof WebhookVerificationError ? error.reason : error)
    response.writeHead(error instanceof WebhookVerificationError ? 400 : 500).end()
  }
})
server.listen(Number(process.env['PORT'] ?? 9900), '127.0.0.1')
