// Status pages from the first name to the last update, for the editor and for visitors.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { findFreePort } from '../../tools/services/ports.ts'
import { toUuid } from '../kit/ids.ts'
import { breakMonitor } from '../kit/seed.ts'
import type { StatusIncident, StatusPage } from '../kit/status-shapes.ts'
import { addMonitors } from '../private/crowd.ts'
import { createTeam } from '../private/screens.ts'
import { assertSound, startWebFixture, type WebFixture } from './fixture.ts'
import { atFocus, INPUT_METHODS, keyboard, mouse, reach } from './input-methods.ts'
import { until } from './shared.ts'

let fixture: WebFixture
before(async () => {
  fixture = await startWebFixture()
})
after(() => fixture.stop())

type List<Item> = { data: Item[] }

// Far less than a screen would take without the stream.
const SOON = { timeout: 20_000 }

async function withMonitor(name = 'Checkout') {
  const team = await createTeam(fixture)
  const base = `/organizations/${team.orgId}`
  const url = 'https://internal-host-7.example.com/'
  const monitor = await team.createMonitor({ name, type: 'HTTP', url })
  const read = async <Item>(what: string) =>
    ((await team.owner.get(`${base}/${what}`)).json as List<Item>).data
  const createPage = async (fields: object = {}) => {
    const sections = [{ name: 'Shop', components: [{ monitorId: monitor.id }] }]
    const made = await team.owner.post(`${base}/status-pages`, {
      name: 'Acme',
      sections,
      ...fields,
    })
    assert.equal(made.status, 201, made.text)
    return made.json as StatusPage
  }
  return { team, base, monitor, read, createPage }
}

const preview = (page: Page, title: RegExp | string = /^Preview of/) =>
  page.frameLocator(`iframe[title^="${typeof title === 'string' ? title : 'Preview of'}"]`)

const publicText = async (url: string) => (await fetch(url)).text()

/** Waits until the page was rendered again, which takes a moment longer on a busy machine. */
const untilPublic = (url: string, pattern: RegExp) =>
  until(`${pattern} at ${url}`, async () => pattern.test(await publicText(url)) || undefined)

async function assertSoundInBoth(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    // Colors in transition between themes belong to neither. What left the page meanwhile does not finish.
    await page.evaluate('Promise.allSettled(document.getAnimations().map((each) => each.finished))')
    await assertSound(page)
  }
}

for (const hand of INPUT_METHODS)
  test(`a page is made with a monitor, drawn before it exists, private at first, and then public ${hand.name}`, async () => {
    const { team, read } = await withMonitor()
    const { page, close } = await fixture.open(team.orgId, 'MEMBER', '/status-pages')
    await page.getByRole('heading', { name: 'No status page yet' }).waitFor()
    await page.keyboard.press('n')
    await hand.write(page.getByLabel('Name', { exact: true }), 'Acme Nord')
    const add = page.getByRole('button', { name: 'Add monitors' })
    await hand.press(add)
    await hand.tick(page.getByRole('dialog').getByLabel('Checkout'))
    await hand.press(page.getByRole('button', { name: 'Add 1 monitor' }))
    await atFocus(add)
    await preview(page).getByRole('heading', { name: 'Checkout' }).waitFor()
    await preview(page).getByText('Acme Nord').first().waitFor()
    if (hand === mouse) await assertSoundInBoth(page)
    await hand.press(page.getByRole('button', { name: 'Create status page' }))
    await page.getByRole('heading', { level: 1, name: 'Acme Nord' }).waitFor()
    await atFocus(page.getByRole('main'))
    const [made] = await read<StatusPage>('status-pages')
    assert.equal(made?.published, false)
    assert.equal((await fetch(made.url)).status, 404)
    await hand.press(page.getByRole('button', { name: 'Publish', exact: true }))
    await page.getByText('Acme Nord is public').waitFor()
    await untilPublic(made?.url ?? '', /Acme Nord.*Checkout/s)
    await page.goto(`${fixture.service.baseUrl}/status-pages`)
    await page.getByRole('link', { name: 'Acme Nord' }).waitFor()
    if (hand === mouse) await assertSoundInBoth(page)
    await close()
  })

test('edited: the preview follows the keys, the order follows pointer and keyboard, a refusal stands at its field', async () => {
  const { team, read, createPage } = await withMonitor()
  const taken = await createPage({ name: 'Other', slug: `taken-${Date.now()}` })
  const sections = ['One', 'Two', 'Three'].map((name) => ({ name, components: [{ name }] }))
  const own = await createPage({ sections })
  const { page, close } = await fixture.open(team.orgId, 'MEMBER', `/status-pages/${own.id}`)
  await preview(page).getByText('Acme').first().waitFor()
  const typedAt = Date.now()
  await page.getByLabel('Name', { exact: true }).fill('Acme, renamed')
  await preview(page).getByText('Acme, renamed').first().waitFor()
  assert.ok(Date.now() - typedAt < 5000, 'the preview followed')
  assert.doesNotMatch(await publicText(own.url), /renamed/)
  await page.getByRole('link', { name: 'Incidents and maintenance' }).click()
  await page.getByRole('button', { name: 'Stay here' }).click()

  await page.getByRole('button', { name: 'Move section One' }).focus()
  await page.keyboard.press('Alt+ArrowDown')
  assert.equal(await focusedLabel(page), 'Move section One')
  await drag(page, 'Move Three', 'Move Two')
  await page.getByLabel('Accent color optional').fill('#12')
  await page.getByLabel('URL slug').fill(taken.slug)
  await page.getByText('Showing the last valid version.').waitFor()
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.locator('[aria-invalid=true]').waitFor()
  assert.equal(await page.getByLabel('Accent color optional').getAttribute('aria-invalid'), 'true')
  await assertSoundInBoth(page)

  await page.getByLabel('Accent color optional').fill('#0f766e')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('This slug is taken. Choose another one.').waitFor()
  assert.equal(await page.getByLabel('URL slug').getAttribute('aria-invalid'), 'true')
  await page.getByLabel('URL slug').fill(own.slug)
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByRole('heading', { level: 1, name: 'Acme, renamed' }).waitFor()
  const saved = (await read<StatusPage>('status-pages')).find(({ id }) => id === own.id)
  const order = saved?.sections.map(({ name, components }) => [name, components.map((c) => c.name)])
  assert.deepEqual(order, [
    ['Two', ['Three', 'Two']],
    ['One', ['One']],
    ['Three', []],
  ])
  await untilPublic(own.url, /Acme, renamed/)
  await close()
})

test('edited by keyboard alone: moved, renamed in place, removed; the focus stays where the hands are', async () => {
  const { team, read, createPage } = await withMonitor()
  const components = ['A', 'B', 'C'].map((name) => ({ name }))
  const own = await createPage({ sections: [{ name: 'One', components }, { name: 'Two' }] })
  const { page, close } = await fixture.open(team.orgId, 'MEMBER', `/status-pages/${own.id}`)
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  await reach(button('Move C'))
  await page.keyboard.press('Alt+ArrowUp')
  await page.getByText('2 of 3 in One').waitFor()
  await atFocus(button('Move C'))
  await keyboard.press(button('More for B'))
  await keyboard.press(page.getByRole('menuitem', { name: 'Move down' }))
  await page.getByText('1 of 1 in Two').waitFor()
  await atFocus(button('Move B'))

  await keyboard.press(button('More for C'))
  await keyboard.press(page.getByRole('menuitem', { name: 'Name and description' }))
  await atFocus(page.getByLabel('Display name'))
  await keyboard.write(page.getByLabel('Display name'), 'Carts')
  await page.keyboard.press('Enter')
  await atFocus(page.locator('[data-component]', { hasText: 'Carts' }).getByRole('button').first())
  await keyboard.press(button('More for A'))
  await keyboard.press(page.getByRole('menuitem', { name: 'Remove from the page' }))
  await button('More for A').waitFor({ state: 'detached' })
  await atFocus(button('More for Carts'))

  await keyboard.write(page.getByLabel('Accent color optional'), '#12')
  await keyboard.press(button('Save changes'))
  await atFocus(page.getByLabel('Accent color optional'))
  await keyboard.write(page.getByLabel('Accent color optional'), '#0f766e')
  await keyboard.press(button('Save changes'))
  await page.getByText('unsaved change').waitFor({ state: 'detached' })
  await atFocus(button('Save changes'))
  const [saved] = await read<StatusPage>('status-pages')
  assert.deepEqual(
    saved?.sections.map(({ name, components: all }) => [name, all.map((one) => one.name)]),
    [
      ['One', ['Carts']],
      ['Two', ['B']],
    ],
  )
  await close()
})

test('a detected incident is published filled in and without its cause, updated, and resolved', async () => {
  const { team, monitor, read, createPage } = await withMonitor('internal-name-7')
  const sections = [{ name: 'Shop', components: [{ name: 'Checkout', monitorId: monitor.id }] }]
  const own = await createPage({ sections })
  const incidentId = await breakMonitor(fixture.db, team.orgId, monitor.id)
  const { page, close } = await fixture.open(team.orgId, 'MEMBER', `/incidents/${incidentId}`)
  await page.getByRole('link', { name: 'Publish', exact: true }).click()
  await page.getByLabel('Title').waitFor()
  assert.equal(await page.getByLabel('Title').inputValue(), 'Checkout is down')
  await page.getByLabel('Message').fill('We are **on it**.')
  const shown = preview(page, 'Preview of the incident')
  await shown.locator('strong', { hasText: 'on it' }).waitFor()
  assert.doesNotMatch(await shown.locator('body').innerText(), /internal-|503/)
  await assertSoundInBoth(page)
  await page.getByRole('button', { name: 'Publish to Acme', exact: true }).click()
  await page.getByRole('heading', { name: 'Updates', exact: true }).waitFor()
  await page.locator('.posted .markdown b', { hasText: 'on it' }).waitFor()
  const [made] = await read<StatusIncident & { incidentId: string }>('status-incidents')
  assert.equal(made?.incidentId, incidentId)
  await untilPublic(own.url, /Checkout is down.*<strong>on it<\/strong>/s)

  // The labels are what people see and click; a click on them waits until they stay in place.
  const choose = (name: RegExp) =>
    page.locator('label', { has: page.getByRole('radio', { name }) }).click()
  await choose(/Monitoring/)
  await page.getByLabel('Message').fill('It answers again.')
  await page.getByRole('button', { name: 'Publish update' }).click()
  await page.locator('.posted').getByText('It answers again.').waitFor()
  await choose(/Resolved/)
  await page.getByLabel('Message').fill('Over.')
  await page.getByRole('button', { name: 'Resolve', exact: true }).click()
  await page.locator('.posted').getByText('Over.').waitFor()
  await assertSoundInBoth(page)
  await untilPublic(`${own.url}/incidents/${made?.id}`, /Over\..*It answers again\./s)

  await page.getByRole('link', { name: 'Detected incident' }).click()
  await page.getByRole('link', { name: 'Checkout is down' }).waitFor()
  await page.goto(`${fixture.service.baseUrl}/status-pages/${own.id}/incidents`)
  await page.getByRole('link', { name: 'Checkout is down' }).waitFor()
  await assertSoundInBoth(page)
  await close()
})

test('an incident is published only where an affected component is shown, and the button names whom it reaches', async () => {
  const { team, read, createPage } = await withMonitor('Search')
  const acme = await createPage()
  const partners = await createPage({
    name: 'Acme for partners',
    sections: [{ components: [{ name: 'Orders' }] }],
  })
  await fixture.db.run(
    `insert into page_subscribers (id, org_id, page_id, kind, email, email_hash, token, token_hash, confirmed_at, asked_at)
     select gen_random_uuid(), p.org_id, p.id, 'EMAIL', ''::bytea, sha256(n::text::bytea || p.id::text::bytea), ''::bytea,
            sha256(p.id::text::bytea || n::text::bytea), now(), now()
       from status_pages p, generate_series(1, 19) n where p.id = $1`,
    [toUuid(acme.id)],
  )
  const { page, close } = await fixture.open(team.orgId, 'MEMBER', '/status-pages/incidents/new')
  await page.getByLabel('Title').fill('Search is slow')
  await page.getByText('Add a component or choose a status page first.').first().waitFor()
  const choice = (name: string) => page.getByRole('checkbox', { name, exact: true })
  for (const name of ['Acme', 'Acme for partners'])
    assert.equal(await choice(name).isChecked(), false)
  await page.getByRole('button', { name: 'Add component' }).click()
  await page.getByRole('menuitem', { name: /Search/ }).click()
  const publish = page.getByRole('button', { name: /^Publish/ })
  await page.getByRole('button', { name: 'Publish to Acme and notify 19 subscribers' }).waitFor()
  await choice('Acme for partners').check()
  await page.getByText('Acme for partners does not show Search.').waitFor()
  await assertSoundInBoth(page)
  await choice('Acme for partners').uncheck()
  await choice('19 subscribers').uncheck()
  assert.equal(await publish.innerText(), 'Publish to Acme')
  await publish.click()
  await page.getByRole('heading', { name: 'Updates', exact: true }).waitFor()
  const [made] = await read<StatusIncident>('status-incidents')
  assert.deepEqual(made?.statusPageIds, [acme.id])
  await untilPublic(acme.url, /Search is slow/)
  assert.doesNotMatch(await publicText(partners.url), /Search is slow/)
  await close()
})

test('an incident is published and resolved by keyboard alone', async () => {
  const { team, read, createPage } = await withMonitor()
  await createPage()
  const { page, close } = await fixture.open(team.orgId, 'MEMBER', '/monitors')
  await page.getByRole('link', { name: 'Checkout', exact: true }).waitFor()
  await page.keyboard.press('g')
  await page.keyboard.press('s')
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
  await keyboard.press(page.getByRole('link', { name: 'Publish an incident' }))
  await atFocus(page.getByLabel('Title'))
  await page.keyboard.type('Slow answers')
  await keyboard.press(button('Add component'))
  await keyboard.press(page.getByRole('menuitem', { name: /Checkout/ }))
  await keyboard.tick(page.getByRole('radio', { name: 'Degraded' }))
  await keyboard.press(button('Publish to Acme'))
  await page.getByRole('heading', { name: 'Updates', exact: true }).waitFor()
  await atFocus(page.getByRole('main'))
  await keyboard.tick(page.getByRole('radio', { name: /Resolved/ }))
  await keyboard.write(page.getByLabel('Message'), 'Well again.')
  await keyboard.press(button('Resolve'))
  await page.locator('.posted').getByText('Well again.').waitFor()
  await atFocus(page.locator('main, main *'))
  const [incident] = await read<StatusIncident>('status-incidents')
  assert.deepEqual([incident?.title, incident?.status], ['Slow answers', 'RESOLVED'])
  await close()
})

test('who only reads sees the page and no control that writes, and the server refuses', async () => {
  const { team, base, createPage } = await withMonitor()
  const own = await createPage()
  const { page, close } = await fixture.open(team.orgId, 'READ_ONLY', '/status-pages')
  await page.getByRole('link', { name: 'Acme', exact: true }).click()
  await preview(page).getByText('Checkout').first().waitFor()
  await assertSoundInBoth(page)
  for (const path of [
    `/status-pages/${own.id}`,
    `/status-pages/${own.id}/incidents`,
    '/status-pages',
  ]) {
    await page.goto(`${fixture.service.baseUrl}${path}`)
    await page.getByText('Acme').first().waitFor()
    const writing = /Save|Create|Delete|Publish|Add|Move|New|Schedule|Edit|More|Discard/
    assert.equal(await page.locator('main').getByRole('button', { name: writing }).count(), 0)
    assert.equal(await page.locator('main').getByRole('link', { name: writing }).count(), 0)
    assert.equal(await page.locator('main input, main textarea, main select').count(), 0)
  }
  for (const [method, path] of [
    ['POST', '/status-pages'],
    ['PATCH', `/status-pages/${own.id}`],
    ['POST', '/status-incidents'],
  ] as const)
    assert.equal((await team.reader.request(method, `${base}${path}`, { body: {} })).status, 403)
  await close()
})

test('every component has the name of its monitor, and every monitor can be added, however many there are', async () => {
  const { team, createPage } = await withMonitor('Tail of the list')
  const own = await createPage({ name: 'Acme' })
  await addMonitors(fixture.db, toUuid(team.orgId), 120)
  const { page, close } = await fixture.open(team.orgId, 'MEMBER', `/status-pages/${own.id}`)
  const row = page.locator('.tree .node-row')
  assert.match(await row.innerText(), /Tail of the list\s+Tail of the list HTTP/)
  await page.getByRole('button', { name: 'Add monitors' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('1–50 of 121').waitFor()
  assert.equal(await dialog.getByLabel('Tail of the list').count(), 0)
  await dialog.getByRole('button', { name: 'Next monitors' }).click()
  await dialog.getByText('51–100 of 121').waitFor()
  await dialog.getByRole('button', { name: 'Next monitors' }).click()
  await dialog.getByText('Already added').waitFor()
  await assertSoundInBoth(page)
  await dialog.getByLabel('Search').fill('TAIL')
  await dialog.getByText('of 121').waitFor({ state: 'detached' })
  await dialog.getByLabel('Tail of the list').check()
  await page.getByRole('button', { name: 'Add 1 monitor' }).click()
  assert.equal(await row.count(), 2)
  await close()
})

test('what readers see follows by itself: the state in the list, a component and the domain in the editor', async () => {
  const { team, monitor, createPage } = await withMonitor()
  await fixture.db.setMonitorStatus(monitor.id, { state: 'UP' })
  const own = await createPage({ customDomain: `live-${Date.now()}.example.com` })
  const list = await fixture.open(team.orgId, 'READ_ONLY', '/status-pages')
  const editor = await fixture.open(team.orgId, 'MEMBER', `/status-pages/${own.id}`)
  const node = editor.page.locator('.tree .node-row')
  await list.page.locator('td.st').getByText('Operational').waitFor()
  await node.getByText('Operational').waitFor({ state: 'attached' })
  await breakMonitor(fixture.db, team.orgId, monitor.id)
  await list.page.locator('td.st').getByText('Major outage').waitFor(SOON)
  await node.getByText('Major outage').waitFor({ ...SOON, state: 'attached' })
  await preview(editor.page).getByText('Major outage').first().waitFor(SOON)
  await fixture.db.run(`update status_pages set custom_domain_status = 'ACTIVE' where id = $1`, [
    toUuid(own.id),
  ])
  await editor.page.locator('#address header').getByText('Active').waitFor(SOON)
  await list.close()
  await editor.close()
})

test('a mistake is undone, what somebody else saved is not overwritten unseen, and saving leaves everything in place', async () => {
  const { team, base, createPage } = await withMonitor()
  const sections = ['One', 'Two'].map((name) => ({ name, components: [{ name }] }))
  const own = await createPage({ sections })
  const { page, close } = await fixture.open(team.orgId, 'MEMBER', `/status-pages/${own.id}`)
  const unsaved = page.locator('.unsaved')
  await page.getByRole('button', { name: 'More for section Two' }).click()
  await page.getByRole('menuitem', { name: 'Remove section' }).click()
  await unsaved.waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('button', { name: 'Move Two', exact: true }).waitFor()
  await unsaved.waitFor({ state: 'detached' })

  await page.getByRole('button', { name: 'Move section One' }).press('ArrowDown')
  await unsaved.waitFor()
  const [one, two] = own.sections
  const theirs = { sections: [{ id: one?.id, name: 'Theirs' }, { id: two?.id }] }
  assert.equal((await team.owner.patch(`${base}/status-pages/${own.id}`, theirs)).status, 200)
  await page.getByText('Someone else changed sections').waitFor(SOON)
  await assertSoundInBoth(page)
  await page.getByRole('button', { name: 'Use theirs' }).click()
  await page.getByRole('button', { name: 'Move section Theirs' }).waitFor()
  assert.equal(await unsaved.count(), 0)

  await preview(page).getByText('Theirs').first().waitFor()
  const frame = page.frames().find((each) => each.url().endsWith('/app/preview'))
  await frame?.evaluate('self.isSame = true')
  await page.getByLabel('Name', { exact: true }).fill('Acme, saved')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByRole('heading', { level: 1, name: 'Acme, saved' }).waitFor()
  await unsaved.waitFor({ state: 'detached' })
  assert.equal(await frame?.evaluate('self.isSame'), true, 'the preview was not loaded again')
  await close()
})

test('the preview is the page itself where pages have a host of their own', async () => {
  const { team, createPage } = await withMonitor()
  const own = await createPage()
  const port = await findFreePort()
  const statusBaseUrl = `http://localhost:${port}`
  const service = await fixture.stack.start('api', {
    port,
    env: { STATUS_BASE_URL: statusBaseUrl },
  })
  const { page, close } = await fixture.open(team.orgId, 'MEMBER', '/status-pages')
  const failed: string[] = []
  page.on('requestfailed', (request) => {
    if (request.url().startsWith(statusBaseUrl)) failed.push(request.url())
  })
  await page.goto(`${service.baseUrl}/status-pages/${own.id}`)
  await preview(page).getByRole('heading', { name: 'Checkout' }).waitFor()
  const fonts = await page
    .frames()
    .find((frame) => frame.url().endsWith('/app/preview'))
    ?.evaluate<string[]>(
      'document.fonts.ready.then(() => [...document.fonts].map(({ status }) => status))',
    )
  assert.ok(fonts?.includes('loaded'), `fonts are ${fonts}`)
  assert.ok(!fonts?.includes('error'), `fonts are ${fonts}`)
  await page.getByRole('link', { name: /localhost/ }).waitFor()
  await untilPublic(`${statusBaseUrl}/status/${own.slug}`, /Checkout/)
  assert.equal(
    (await fetch(`${service.baseUrl}/status/${own.slug}`, { redirect: 'manual' })).headers.get(
      'location',
    ),
    `${statusBaseUrl}/status/${own.slug}`,
  )
  assert.deepEqual(failed, [])
  await close()
  await service.stop()
})

const XSS = `"><img src=x onerror="top.hit=1;parent.hit=1;window.hit=1"><script>top.hit=1</script>`

test('what is typed runs nowhere: not in the dashboard, not in the preview, not on the page', async () => {
  const { team, read, createPage, monitor } = await withMonitor(XSS.slice(0, 110))
  const sections = [
    { name: XSS, components: [{ monitorId: monitor.id, description: XSS }, { name: XSS }] },
  ]
  const own = await createPage({ name: XSS, description: XSS, sections })
  const { page, close } = await fixture.open(team.orgId, 'MEMBER', `/status-pages/${own.id}`)
  const said: string[] = []
  page.on('dialog', (dialog) => said.push(dialog.message()))
  await preview(page).getByText('onerror').first().waitFor()
  await page.getByLabel('Tagline optional').fill(`${XSS} again`)
  await preview(page).getByText('again').first().waitFor()
  assert.equal(await preview(page).locator('img, main script').count(), 0)
  const origin = await page.frames()[1]?.evaluate('self.origin')
  assert.equal(origin, 'null', 'the preview has no origin')
  await page.getByRole('button', { name: 'Discard' }).click()

  await page.goto(`${fixture.service.baseUrl}/status-pages/incidents/new`)
  await page.getByLabel('Title').fill(XSS)
  await page.getByLabel('Message').fill(`${XSS} [x](javascript:top.hit=1)`)
  const shown = preview(page, 'Preview of the incident')
  await shown.locator('.text').getByText('onerror').waitFor()
  await page.getByRole('button', { name: /^Publish to / }).click()
  await page.getByRole('heading', { name: 'Updates', exact: true }).waitFor()
  await shown.getByText('onerror').first().waitFor()
  const [incident] = await read<StatusIncident>('status-incidents')
  for (const url of [
    own.url,
    `${own.url}/incidents/${incident?.id}`,
    `${fixture.service.baseUrl}/status-pages`,
  ]) {
    await page.goto(url)
    await page.getByText('onerror').first().waitFor()
    assert.equal(await page.locator('img[src=x]').count(), 0)
    assert.equal(await page.evaluate('window.hit'), undefined)
  }
  assert.deepEqual(said, [])
  await close()
})

const focusedLabel = (page: Page) =>
  page.evaluate<string>("document.activeElement?.getAttribute('aria-label') ?? ''")

/** From one handle to just above another. */
async function drag(page: Page, from: string, to: string): Promise<void> {
  const handle = page.getByRole('button', { name: from, exact: true })
  const target = page.getByRole('button', { name: to, exact: true })
  await handle.scrollIntoViewIfNeeded()
  const [start, end] = [await handle.boundingBox(), await target.boundingBox()]
  assert.ok(start && end)
  await page.mouse.move(start.x + start.width / 2, start.y + start.height / 2)
  await page.mouse.down()
  await page.mouse.move(end.x + end.width / 2, end.y + end.height / 2 - 2, { steps: 8 })
  await page.mouse.up()
}
