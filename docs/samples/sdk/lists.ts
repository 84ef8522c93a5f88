import { Upvane } from '@upvane/sdk'

const upvane = new Upvane({
  baseUrl: process.env['UPVANE_URL'] ?? '',
  apiKey: process.env['UPVANE_API_KEY'] ?? '',
})

// One at a time, with as many requests as needed.
for await (const incident of upvane.incidents.list({ status: 'ONGOING' }))
  console.log(incident.monitor.name, incident.cause)

// One page.
const { data, pagination } = await upvane.monitors.list().page({ limit: 25, offset: 0 })
console.log(`${data.length} of ${pagination.total} monitors`)

// Everything, or an error if there is more.
const pages = await upvane.statusPages.list().all({ max: 1_000 })
console.log(`${pages.length} status pages`)
