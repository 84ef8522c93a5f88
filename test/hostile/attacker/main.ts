// The attacker, in a separate process with the lowest priority: the load it puts on this machine must not be mistaken
// for its effect on the product.
import { setPriority } from 'node:os'
import { ATTACKS } from './attacks.ts'
import type { Order, Report } from './grounds.ts'
import { LOWEST_PRIORITY } from './load.ts'
import { startServers } from './servers.ts'

setPriority(LOWEST_PRIORITY)
const servers = await startServers()
const { smtpPort, whoisServer, bootstrapUrl, targets, receiverPort } = servers

process.on('message', (order: Order) => {
  if (order.type === 'stop') return process.exit(0)
  const { id } = order
  return obey(order).then(
    (tally) => sendReport({ type: 'done', id, tally }),
    (error: unknown) => {
      const words = error instanceof Error ? (error.stack ?? error.message) : String(error)
      sendReport({ type: 'failed', id, words })
    },
  )
})
process.on('disconnect', () => process.exit(0))
sendReport({
  type: 'ready',
  servers: { smtpPort, whoisServer, bootstrapUrl, targets, receiverPort },
})

async function obey(order: Exclude<Order, { type: 'stop' }>) {
  const attack = ATTACKS[order.attack]
  if (attack === undefined) throw new Error(`There is no attack "${order.attack}".`)
  const run = { grounds: order.grounds, servers, endMs: Date.now() + order.seconds * 1000 }
  if (order.type === 'attack') {
    const mails = servers.mails()
    const tally = await attack.attack(run)
    return { ...tally, mails: servers.mails() - mails }
  }
  await attack.prepare?.(run)
  return {}
}

function sendReport(report: Report): void {
  process.send?.(report)
}
