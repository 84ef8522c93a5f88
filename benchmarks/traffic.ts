// One of each request of the API, so every statement behind it is seen.

// PostgreSQL compares its generic plan with five custom plans, so the sixth run shows the final choice.
const REPEATS = 7

export const newMonitor = {
  name: 'Made under load',
  type: 'HTTP',
  url: 'https://shop.example.com/checkout/health',
  intervalSeconds: 300,
}

const LISTS = [
  '/monitors?limit=25',
  '/monitors?limit=100&offset=5000',
  '/monitors?type=PORT',
  '/monitors?state=DOWN,PAUSED',
  '/incidents?limit=25',
  '/incidents?status=ONGOING',
  '/incidents?acknowledged=false&startedAfter=2026-01-01T00:00:00Z',
  '/maintenance-windows',
  '/status-pages',
  '/status-incidents',
  '/webhook-endpoints',
  '/webhook-deliveries',
]

export async function exerciseApi(baseUrl: string, key: string): Promise<void> {
  const ask = createSender(baseUrl, key)
  for (let i = 0; i < REPEATS; i++) {
    for (const path of LISTS) await ask('GET', path)
    const { id } = (await ask('POST', '/monitors', { ...newMonitor })) as { id: string }
    await ask('GET', `/monitors/${id}`)
    await ask('GET', `/incidents?monitorId=${id}`)
    await ask('PATCH', `/monitors/${id}`, { name: 'Another name' })
    await ask('PATCH', `/monitors/${id}`, {
      url: 'https://other.example.com/',
      intervalSeconds: 600,
    })
    await ask('POST', `/monitors/${id}/pause`, {})
    await ask('POST', `/monitors/${id}/resume`, {})
    await coverAll(ask)
    await publish(ask, id)
    await sendEvents(ask)
    await ask('DELETE', `/monitors/${id}`)
    await touchIncident(ask)
  }
}

/** The filter that may read all monitors of an organization. */
export async function searchByText(baseUrl: string, key: string): Promise<void> {
  const ask = createSender(baseUrl, key)
  for (let i = 0; i < REPEATS; i++) await ask('GET', '/monitors?q=monitor%2012')
}

type SendRequest = (method: string, path: string, body?: object) => Promise<unknown>

async function touchIncident(ask: SendRequest): Promise<void> {
  const page = (await ask('GET', '/incidents?limit=1')) as { data: { id: string }[] }
  const id = page.data[0]?.id
  if (id === undefined) return
  await ask('GET', `/incidents/${id}`)
  await ask('POST', `/incidents/${id}/acknowledge`, { note: 'Seen.' })
}

/** A window over all monitors that opens now locks the states of all of them. */
async function coverAll(ask: SendRequest): Promise<void> {
  const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
  const body = { name: 'All of it', allMonitors: true, startsAt: at(0), endsAt: at(1) }
  const { id } = (await ask('POST', '/maintenance-windows', body)) as { id: string }
  await ask('GET', `/maintenance-windows/${id}`)
  await ask('PATCH', `/maintenance-windows/${id}`, { endsAt: at(2) })
  await ask('DELETE', `/maintenance-windows/${id}`)
}

async function publish(ask: SendRequest, monitorId: string): Promise<void> {
  const sections = [{ name: 'All', components: [{ monitorId }] }]
  const made = await ask('POST', '/status-pages', { name: 'Status', sections })
  const page = made as { id: string; url: string }
  await ask('GET', `/status-pages/${page.id}`)
  await fetch(page.url)
  const body = { title: 'Condition', message: 'We look.', statusPageIds: [page.id] }
  const { id } = (await ask('POST', '/status-incidents', body)) as { id: string }
  await ask('POST', `/status-incidents/${id}/updates`, { status: 'RESOLVED', message: 'Over.' })
  await ask('GET', `/status-incidents/${id}`)
  await ask('DELETE', `/status-incidents/${id}`)
  await ask('DELETE', `/status-pages/${page.id}`)
}

async function sendEvents(ask: SendRequest): Promise<void> {
  const body = { url: 'https://hooks.example.com/', eventTypes: ['*'] }
  const { id } = (await ask('POST', '/webhook-endpoints', body)) as { id: string }
  await ask('PATCH', `/webhook-endpoints/${id}`, { description: 'Load' })
  await ask('POST', `/webhook-endpoints/${id}/test`, {})
  await ask('GET', `/webhook-deliveries?endpointId=${id}`)
  await ask('DELETE', `/webhook-endpoints/${id}`)
}

function createSender(baseUrl: string, key: string): SendRequest {
  return async (method, path, body) => {
    const response = await fetch(`${baseUrl}/api/v1${path}`, {
      method,
      headers: {
        'X-API-Key': key,
        ...(body && { 'Content-Type': 'application/json' }),
        // Only writes use it; each of these is new.
        'Idempotency-Key': crypto.randomUUID(),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!response.ok)
      throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return response.json()
  }
}
