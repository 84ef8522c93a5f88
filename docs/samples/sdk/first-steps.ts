import { Upvane } from '@upvane/sdk'

const upvane = new Upvane({
  baseUrl: process.env['UPVANE_URL'] ?? '',
  apiKey: process.env['UPVANE_API_KEY'] ?? '',
})

const monitor = await upvane.monitors.create({ name: 'Nightly backup', type: 'CRON' })
await upvane.monitors.update(monitor.id, { expectedPeriodSec: 86_400, graceSeconds: 1_800 })
const paused = await upvane.monitors.pause(monitor.id)
console.log(paused.name, paused.state)

for await (const { name, state } of upvane.monitors.list({ state: ['PAUSED', 'DOWN'] }))
  console.log(name, state)

await upvane.monitors.delete(monitor.id)
