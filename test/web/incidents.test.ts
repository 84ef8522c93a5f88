// Incidents as a person sees and acknowledges them, by mouse, touch and keyboard.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { seedSpans } from '../kit/history.ts'
import { breakMonitor, seedIncident } from '../kit/seed.ts'
import { ago, createTeam, DAY, MINUTE } from '../private/screens.ts'
import { assertSound, startWebFixture, type WebFixture } from './fixture.ts'
import { atFocus, INPUT_METHODS, keyboard, mouse, thumb } from './input-methods.ts'

let fixture: WebFixture
before(async () => {
  fixture = await startWebFixture()
})
after(() => fixture.stop())

const LONG = 'A name with everything somebody knew, '.repeat(4).slice(0, 120)

async function withOutage(name = 'Checkout') {
  const team = await createTeam(fixture)
  const monitor = await team.createMonitor({ name, type: 'HTTP', url: 'https://a.example.com/' })
  const incidentId = await breakMonitor(fixture.db, team.orgId, monitor.id)
  const past = await team.createMonitor({ name: LONG, type: 'HTTP', url: 'https://b.example.com/' })
  await seedIncident(fixture.db, {
    orgId: team.orgId,
    monitorId: past.id,
    startedAt: ago(3 * DAY),
    resolvedAt: ago(3 * DAY - 10 * MINUTE),
    cause: 'Timed out after 30 s',
  })
  const isTaken = async () =>
    (await team.read('incident', `/overview/incidents/${incidentId}`)).acknowledged
  return { team, incidentId, isTaken, pastId: past.id }
}

for (const hand of INPUT_METHODS)
  test(`incidents: filtered in the address, taken ${hand.name}`, async () => {
    const { team, isTaken } = await withOutage()
    const { page, close } = await fixture.open(team.orgId, 'MEMBER', '/incidents')
    const taken = page.getByRole('link', { name: 'Checkout is down' })
    await taken.waitFor()
    if (hand === mouse) await assertSound(page)

    await hand.press(page.getByRole('link', { name: /^Resolved/ }))
    await page.waitForURL('**/incidents?state=resolved')
    await taken.waitFor({ state: 'detached' })
    const search = page.getByRole('searchbox', { name: 'Filter by monitor or cause' })
    await hand.write(search, 'nothing like it')
    await page.waitForURL('**/incidents?state=resolved&q=*')
    await page.getByRole('heading', { name: 'No matches' }).waitFor()

    await page.goBack()
    await hand.press(page.getByRole('button', { name: 'Acknowledge Checkout' }))
    await page.getByText('Reminders stopped').waitFor()
    // The button is gone, but its row remains.
    await atFocus(taken)
    assert.equal(await isTaken(), true)
    await close()
  })

for (const hand of [mouse, keyboard])
  test(`incidents: a period leaves out older ones, and a monitor's day leads to its incidents ${hand.name}`, async () => {
    const { team, pastId } = await withOutage()
    const [began, ended] = [ago(3 * DAY), ago(3 * DAY - 10 * MINUTE)]
    await seedIncident(fixture.db, {
      orgId: team.orgId,
      monitorId: pastId,
      startedAt: ago(40 * DAY),
      resolvedAt: ago(40 * DAY - MINUTE),
      cause: 'Connection refused',
    })
    await seedSpans(fixture.db, pastId, [
      { state: 'UP', from: ago(50 * DAY), to: began },
      { state: 'DOWN', from: began, to: ended },
      { state: 'UP', from: ended, to: null },
    ])
    const { page, close } = await fixture.open(team.orgId, 'READ_ONLY', '/incidents')
    const [recent, old] = [
      page.getByText('Timed out after 30 s'),
      page.getByTitle('Connection refused'),
    ]
    await recent.waitFor()
    await old.waitFor()
    await hand.choose(page.getByLabel('Period'), '30')
    await page.waitForURL('**/incidents?period=30')
    await old.waitFor({ state: 'detached' })
    await recent.waitFor()
    if (hand === mouse) await assertSound(page)

    await page.goto(`${fixture.service.baseUrl}/monitors/${pastId}`)
    await hand.press(page.getByRole('link', { name: /: 10 min down$/ }).first())
    await page.waitForURL(`**/incidents?monitor=${pastId}&day=*`)
    await recent.waitFor()
    assert.equal(await old.count(), 0)
    await close()
  })

test('incident: by keyboard alone from the list to a note', async () => {
  const { team, incidentId, isTaken } = await withOutage()
  const { page, close } = await fixture.open(team.orgId, 'MEMBER', '/incidents')
  await page.getByRole('link', { name: 'Checkout is down' }).waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Checkout is down' }).waitFor()
  await atFocus(page.getByRole('main'))
  await keyboard.press(page.getByRole('button', { name: 'Acknowledge' }))
  await page.getByText(/Acknowledged by MEMBER at/).waitFor()
  assert.equal(await isTaken(), true)
  const add = page.locator('.add-note')
  await atFocus(add)

  await keyboard.press(add)
  await page.keyboard.type('rollback running')
  await page.keyboard.press('Enter')
  await page.locator('.timeline').getByText('rollback running').waitFor()
  const { timeline } = await team.read('incident', `/overview/incidents/${incidentId}`)
  assert.ok(timeline.some((line) => line.type === 'NOTE' && line.text === 'rollback running'))
  await assertSound(page)
  await close()
})

for (const hand of [thumb, keyboard])
  test(`#acknowledge on a phone: asks at once, changes nothing by being opened, takes with a note ${hand.name}`, async () => {
    const { team, incidentId, isTaken } = await withOutage(LONG)
    const path = `/incidents/${incidentId}#acknowledge`
    const { page, close } = await fixture.open(team.orgId, 'MEMBER', path, 'phone')
    const dialog = page.getByRole('dialog')
    await atFocus(dialog.getByRole('button', { name: 'Acknowledge' }))
    assert.equal(await isTaken(), false)
    if (hand === thumb) await assertSound(page)
    await hand.write(dialog.getByLabel('Note to your team'), 'on it')
    await hand.press(dialog.getByRole('button', { name: 'Acknowledge' }))
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('Acknowledged by MEMBER: on it').waitFor()
    assert.equal(await isTaken(), true)
    if (hand === thumb) await assertSound(page)
    await atFocus(page.locator('main, main *'))

    await page.goto(`${fixture.service.baseUrl}/incidents/${incidentId}#acknowledge`)
    await page
      .getByRole('dialog')
      .getByText(/^Acknowledged by MEMBER at/)
      .waitFor()
    await hand.press(page.getByRole('button', { name: 'View incident' }))
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await atFocus(page.locator('main, main *'))
    await close()
  })

test('incidents: who only reads sees no control that writes', async () => {
  const { team, incidentId } = await withOutage()
  const { page, close } = await fixture.open(team.orgId, 'READ_ONLY', '/incidents')
  await page.getByRole('link', { name: 'Checkout is down' }).click()
  await page.getByRole('heading', { level: 1, name: 'Checkout is down' }).waitFor()
  assert.equal(await page.getByRole('button', { name: /Acknowledge|note|Add/ }).count(), 0)
  assert.equal(await page.locator('main textarea, main form').count(), 0)
  await page.goto(`${fixture.service.baseUrl}/incidents/${incidentId}#acknowledge`)
  await page
    .getByRole('dialog')
    .getByText(/You have read-only access/)
    .waitFor()
  await close()
})

test('an outage that alerts no one says so on the incident, the monitor and the list, and not that visitors see it', async () => {
  const { team, incidentId } = await withOutage()
  const { page, close } = await fixture.open(team.orgId, 'OWNER', `/incidents/${incidentId}`)
  const sentence = 'No one was alerted: this monitor has no contacts.'
  await page.getByText(sentence).waitFor()
  assert.equal(await page.getByText('None yet').count(), 0)
  assert.equal(await page.getByRole('heading', { name: 'Not published' }).count(), 0)
  await assertSound(page)
  await page.getByRole('complementary').getByRole('link', { name: 'Checkout' }).click()
  await page.getByText(sentence).waitFor()
  await assertSound(page)
  await page.goto(`${fixture.service.baseUrl}/monitors`)
  await page.getByText('2 monitors alert no one about outages.').waitFor()
  await assertSound(page)
  await page.goto(`${fixture.service.baseUrl}/incidents/${incidentId}`)
  await page.getByRole('link', { name: 'Add one' }).click()
  await page.waitForURL('**/alert-contacts/new')
  const base = `/organizations/${team.orgId}`
  const created = await team.owner.post(`${base}/alert-contacts`, {
    name: 'Ops',
    channel: 'SLACK',
    settings: { url: 'https://hooks.slack.com/services/T0/B0/x' },
    allMonitors: true,
  })
  assert.equal(created.status, 201, created.text)
  await page.goto(`${fixture.service.baseUrl}/incidents/${incidentId}`)
  const later = "No one was alerted: this monitor's contacts were added after it began."
  await page.getByText(later).waitFor()
  assert.equal(await page.getByText('None yet').count(), 0)
  await assertSound(page)
  await page.getByRole('complementary').getByRole('link', { name: 'Checkout' }).click()
  await page.getByText(later).waitFor()
  await assertSound(page)
  await close()
})

for (const hand of INPUT_METHODS)
  test(`an incident that is published gets an update, and a second one only from a menu ${hand.name}`, async () => {
    const { team, incidentId } = await withOutage()
    const base = `/organizations/${team.orgId}`
    await team.owner.post(`${base}/status-pages`, { name: 'Acme' })
    const published = await team.owner.post(`${base}/status-incidents`, {
      title: 'Slow checkout',
      incidentId,
    })
    const { id } = published.json as { id: string }
    const { page, close } = await fixture.open(team.orgId, 'MEMBER', `/incidents/${incidentId}`)
    const update = page.getByRole('link', { name: 'Post update' })
    await update.waitFor()
    assert.equal(await page.getByRole('link', { name: 'Publish', exact: true }).count(), 0)
    await hand.press(page.locator('.inc-act').getByRole('button', { name: 'More actions' }))
    await hand.press(page.getByRole('menuitem', { name: 'Publish another…' }))
    await page.waitForURL(`**/status-pages/incidents/new?incident=${incidentId}`)
    await page.goBack()
    await hand.press(update)
    await page.waitForURL(`**/status-pages/incidents/${id}`)
    await close()
  })
