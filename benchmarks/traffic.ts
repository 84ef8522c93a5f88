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
