// Markdown that is costly to render: in drafts of a READ_ONLY member, on the public page and in emails to subscribers.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Attack, Grounds, Run, Tally } from './grounds.ts'
import { addUp, type Hits, inBursts, openHits } from './load.ts'
import { hostileText } from './shapes.ts'

const SUBSCRIBERS = 8
/** Messages that exist before the page is first read, so that its first visitor pays for all of them. */
const STORED = 90
const STORED_AT_ONCE = 10
const WAIT_MS = 30_000
const POLL_MS = 100

const draft = (pageId: string, number: number) => ({
  statusPageId: pageId,
  title: 'Draft',
  status: 'INVESTIGATING',
  impact: 'MINOR',
  components: [],
  message: hostileText(number),
})

async function sendDrafts({ grounds, endMs }: Run): Promise<Tally> {
  const hits = openHits(grounds, 'draft')
  const { orgId, pageId, readers } = grounds
  await inBursts({ size: 4, everyMs: 100, endMs }, (number) =>
    hits.bySession(readers.drafts, {
      method: 'POST',
      path: `/organizations/${orgId}/status-incident-drafts`,
      body: draft(pageId, number),
    }),
  )
  return hits.tally
}

/** Every incident appears on the page and is sent to every subscriber. */
async function publish({ grounds, endMs }: Run): Promise<Tally> {
  const hits = openHits(grounds, 'publish')
  await inBursts({ size: 4, everyMs: 250, endMs }, (number) =>
    hits.byKey({
      method: 'POST',
      path: '/status-incidents',
      body: { title: `Incident ${number}`, message: hostileText(number) },
    }),
  )
  return hits.tally
}

const PAGES = ['', '/history', '/feed.atom', '/feed.rss', '/status.json', '/embed']
const ENCODINGS = ['br', 'gzip', 'identity']

async function read({ grounds, endMs }: Run): Promise<Tally> {
  const hits = openHits(grounds, 'page')
  await inBursts({ size: 5, everyMs: 200, endMs }, (number) =>
    hits.bare({
      path: `/status/${grounds.slug}${PAGES[number % PAGES.length]}`,
      headers: { 'Accept-Encoding': ENCODINGS[number % ENCODINGS.length] ?? '' },
    }),
  )
  return hits.tally
}

/** Confirmed subscribers, as anyone can become one. */
async function prepare({ grounds, servers }: Run): Promise<void> {
  const page = `${grounds.baseUrl}/status/${grounds.slug}`
  await store(grounds)
  if (servers.confirmations().length >= SUBSCRIBERS) return
  for (let number = 0; number < SUBSCRIBERS; number++) {
    const body = new URLSearchParams({ email: `reader-${number}@example.com` })
    const answer = await fetch(`${page}/subscribe`, { method: 'POST', body })
    if (answer.status !== 200) throw new Error(`subscribe: ${answer.status}`)
  }
  const lastMs = Date.now() + WAIT_MS
  while (servers.confirmations().length < SUBSCRIBERS) {
    if (Date.now() > lastMs) throw new Error('The mails that confirm did not come.')
    await sleep(POLL_MS)
  }
  for (const token of servers.confirmations()) {
    const answer = await fetch(`${page}/confirm/${token}`, { method: 'POST' })
    if (answer.status !== 200) throw new Error(`confirm: ${answer.status}`)
  }
}

async function store(grounds: Grounds): Promise<void> {
  const hits = openHits(grounds, 'store')
  await makeRoom(hits)
  const from = Date.now() % 1_000_000
  for (let stored = 0; stored < STORED; stored += STORED_AT_ONCE)
    await Promise.all(
      Array.from({ length: STORED_AT_ONCE }, async (_, index) => {
        const message = hostileText(from + stored + index)
        const body = { title: 'Stored', message, notifySubscribers: false }
        const answer = await hits.byKey({ method: 'POST', path: '/status-incidents', body })
        if (answer.status !== 201) throw new Error(`store: ${answer.status} ${answer.text}`)
      }),
    )
  hits.close()
}

/** An organization can have only so many, and an earlier attack may have left them. */
async function makeRoom(hits: Hits): Promise<void> {
  while (true) {
    const page = await hits.byKey({ method: 'GET', path: '/status-incidents?limit=100' })
    if (page.status !== 200) throw new Error(`list: ${page.status} ${page.text}`)
    const { data } = JSON.parse(page.text) as { data: { id: string }[] }
    if (data.length === 0) return
    for (const { id } of data) {
      const gone = await hits.byKey({ method: 'DELETE', path: `/status-incidents/${id}` })
      if (gone.status !== 200) throw new Error(`make room: ${gone.status} ${gone.text}`)
    }
  }
}

export const drafts: Attack = { attack: sendDrafts }
export const pages: Attack = {
  attack: async (run) => addUp(await Promise.all([publish(run), read(run)])),
  prepare,
}
