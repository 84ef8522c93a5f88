import { Upvane } from '@upvane/sdk'

const upvane = new Upvane({
  baseUrl: process.env['UPVANE_URL'] ?? '',
  apiKey: process.env['UPVANE_API_KEY'] ?? '',
})

const { monitors, incidents } = await upvane.ext.organization.overview()
console.log(`${monitors.UP} of ${monitors.all} up, ${incidents.ongoing} incidents`)

const { id } = await upvane.monitors.create({ name: 'Invoices', type: 'CRON' })
await upvane.ext.monitors.addTag(id, 'Billing')
for await (const { name, tags } of upvane.ext.monitors.list({ tag: 'Billing' }))
  console.log(name, tags.map((tag) => tag.name).join(', '))

const { windows } = await upvane.ext.monitors.uptime(id, { windows: ['30d'] })
console.log('Uptime', windows[0]?.ratio ?? 'not measured yet')
