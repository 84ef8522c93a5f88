// The layout of every screen, as far as it can be measured: with the longest possible names, at each width and theme in
// turn, and once more with labels a third longer. Everything else is measured by `npm run shots`.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { buildWeb } from '../../tools/build-web.ts'
import { Camera, THEMES, type View, WIDTHS } from '../../tools/shots/camera.ts'
import { faultsOf, measure, measureLengthened } from '../../tools/shots/measure.ts'
import type { Things } from '../../tools/shots/routes.ts'
import { listRouteShots } from '../../tools/shots/screens.ts'
import type { Shot } from '../../tools/shots/shot.ts'
import { startBrowser } from '../e2e/pages/browser.ts'
import { breakMonitor } from '../kit/seed.ts'
import { type AppFixture, startAppFixture } from '../private/fixture.ts'
import { createTeam, type Team } from '../private/screens.ts'

const MANY = { type: 'HTTP', url: 'https://worker.example.com/' }
const SPACED = 'A name with everything that somebody knew about it when asked, '
  .repeat(2)
  .slice(0, 120)
const UNBROKEN = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerk'.repeat(3).slice(0, 120)
const PAGES_AT_ONCE = 2
const MONITORS = 30
const LEAST_NAME_SHARE = 0.5

let fixture: AppFixture
let browser: Browser
let team: Team
let camera: Camera
let things: Things

before(async () => {
  await buildWeb()
  fixture = await startAppFixture()
  browser = await startBrowser('whole')
  team = await createTeam(fixture)
  things = await settle()
  const value = team.owner.cookies.get('upvane') ?? ''
  const { hostname } = new URL(fixture.service.baseUrl)
  const rest = { path: '/', expires: -1, httpOnly: true, secure: false, sameSite: 'Lax' as const }
  camera = new Camera(browser, fixture.service.baseUrl, [
    { name: 'upvane', value, domain: hostname, ...rest },
  ])
})

after(async () => {
  await browser?.close()
  await fixture?.stop()
})

async function post(path: string, body: unknown): Promise<string> {
  const answer = await team.owner.post(`/organizations/${team.orgId}${path}`, body)
  assert.ok(answer.status === 201 || answer.status === 200, answer.text)
  return (answer.json as { id: string }).id
}

async function settle(): Promise<Things> {
  const url = `https://shop.example.com/${'a-long-path/'.repeat(9)}`
  const monitorId = await post('/monitors', { name: UNBROKEN, type: 'HTTP', url })
  await post('/monitors', { name: SPACED, type: 'PING', host: 'lb.example.com' })
  const tags = { names: ['production environment', 'customer facing services'] }
  for (let n = 2; n < MONITORS; n++) {
    const id = await post('/monitors', { ...MANY, name: `Worker ${n} of the production cluster` })
    if (n % 2 === 0) await post(`/monitors/${id}/tags`, tags)
  }
  await post(`/monitors/${monitorId}/tags`, tags)
  const incidentId = await breakMonitor(fixture.db, team.orgId, monitorId)
  const hour = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
  const times = { startsAt: hour(24), endsAt: hour(25), timezone: 'Europe/Berlin' }
  const sections = [{ name: UNBROKEN, components: [{ name: SPACED, monitorId }] }]
  const statusPageId = await post('/status-pages', { name: UNBROKEN, sections })
  await post('/keys', { name: UNBROKEN })
  return {
    monitorId,
    incidentId,
    statusPageId,
    pageId: statusPageId,
    windowId: await post('/maintenance-windows', {
      name: SPACED,
      ...times,
      monitorIds: [monitorId],
    }),
    endpointId: await post('/webhook-endpoints', { url: `${url}hook`, description: UNBROKEN }),
    contactId: await post('/alert-contacts', {
      name: UNBROKEN,
      channel: 'EMAIL',
      settings: { address: 'somebody@example.com' },
    }),
    statusIncidentId: await post('/status-incidents', { title: SPACED, message: UNBROKEN }),
  }
}

async function findFaults(shot: Shot, look: View): Promise<string[]> {
  const page = await camera.open(shot, look)
  const asIs = faultsOf(await measure(page, { withBarriers: false }))
  const lengthened = faultsOf(await measureLengthened(page))
  await page.context().close()
  return [...asIs, ...lengthened]
}

// Accessibility is also tested on every screen, but in every-screen.ts.
test('every screen fits and holds still', async () => {
  const shots = listRouteShots(things)
  const faults: string[] = []
  const looks = WIDTHS.flatMap((width) => THEMES.map((theme) => ({ width, theme })))
  const queue = shots.map((shot, index) => ({ shot, look: looks[index % looks.length] }))
  const work = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const { shot, look = { width: 390, theme: 'dark' as const } } = next
      const first = await findFaults(shot, look)
      // A real fault occurs again; a starved browser renders late once.
      const found = first.length === 0 ? [] : await findFaults(shot, look)
      faults.push(...found.map((fault) => `${shot.name}, ${look.width} ${look.theme}: ${fault}`))
    }
  }
  await Promise.all(Array.from({ length: PAGES_AT_ONCE }, work))
  assert.deepEqual(faults, [])
})

// Of each row: how much of the place for name and tags the name has, if it does not fit.
const NAME_SHARES = `[...document.querySelectorAll('tbody .named:has(.tags)')].flatMap((place) => {
  const name = place.querySelector('a')
  return name.scrollWidth > name.clientWidth ? [name.clientWidth / place.clientWidth] : []
})`

test('list of monitors: a long name keeps half of its column beside two tags', async () => {
  const shot = { name: 'monitors', path: '/monitors?sort=name', isAuth: false }
  for (const width of [1440, 1280]) {
    const page = await camera.open(shot, { width, theme: 'light' })
    const faults = faultsOf(await measure(page, { withBarriers: false }))
    const shares = await page.evaluate<number[]>(NAME_SHARES)
    await page.context().close()
    assert.deepEqual(faults, [], `${width}`)
    assert.ok(shares.length > 0, `${width}: no name is too long`)
    assert.ok(Math.min(...shares) >= LEAST_NAME_SHARE, `${width}: ${shares.join(', ')}`)
  }
})
