// An announced update, and the post-mortem after the end, by mouse and by keyboard.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { toUuid } from '../kit/ids.ts'
import type { StatusIncident, StatusPage } from '../kit/status-shapes.ts'
import { createTeam } from '../private/screens.ts'
import { assertSound, startWebFixture, type WebFixture } from './fixture.ts'
import { INPUT_METHODS, mouse } from './input-methods.ts'
import { until } from './shared.ts'

let fixture: WebFixture
before(async () => {
  fixture = await startWebFixture()
})
after(() => fixture.stop())

async function withIncident(fields: object = {}) {
  const team = await createTeam(fixture)
  const base = `/organizations/${team.orgId}`
  const page = (await team.owner.post(`${base}/status-pages`, { name: 'Acme' })).json as StatusPage
  const body = { title: 'Login errors', statusPageIds: [page.id], message: 'Looking.', ...fields }
  const incident = (await team.owner.post(`${base}/status-incidents`, body)).json as StatusIncident
  const address = `${page.url}/incidents/${incident.id}`
  const untilPublic = (pattern: RegExp, isThere = true) =>
    until(`${pattern} at ${address}`, async () => {
      const text = await (await fetch(address)).text()
      return pattern.test(text) === isThere || undefined
    })
  return { team, incident, address, untilPublic }
}

for (const hand of INPUT_METHODS) {
  test(`an update announces the next one, which is overdue when it does not come ${hand.name}`, async () => {
    const { team, incident, untilPublic } = await withIncident()
    const path = `/status-pages/incidents/${incident.id}`
    const { page, close } = await fixture.open(team.orgId, 'MEMBER', path)
    await hand.write(page.getByLabel('Message'), 'Still looking.')
    await page.getByLabel('Next update', { exact: true }).selectOption('In 30 minutes')
    const preview = page.frameLocator('iframe[title^="Preview of"]')
    // With the day if it is another one: in the half hour before midnight.
    await preview.getByText(/Next update by (?:\w{3}, \w{3} \d\d?, )?\d\d:\d\d/).waitFor()
    await hand.press(page.getByRole('button', { name: 'Publish update' }))
    await page.getByText(/Visitors expect the next update by/).waitFor()
    await untilPublic(/Next update by <time/)
    if (hand === mouse) await assertSound(page)

    await fixture.db.run(
      `update status_incidents set next_update_by = now() - interval '1 minute' where id = $1`,
      [toUuid(incident.id)],
    )
    await page.reload()
    await page.getByText('Update overdue.').waitFor()
    await untilPublic(/Next update by/, false)
    if (hand === mouse) await assertSound(page)
    await close()
  })

  test(`a post-mortem is written, edited and deleted ${hand.name}`, async () => {
    const { team, incident, address, untilPublic } = await withIncident({ status: 'RESOLVED' })
    const path = `/status-pages/incidents/${incident.id}`
    const { page, close } = await fixture.open(team.orgId, 'MEMBER', path)
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    await hand.press(button('Write post-mortem'))
    await hand.press(button('Publish post-mortem'))
    await page.getByText('Describe what happened.').waitFor()
    await hand.write(page.getByLabel('What happened'), 'A **disk** was full.')
    if (hand === mouse) await assertSound(page)
    await hand.press(button('Publish post-mortem'))
    await page.getByText('Post-mortem published').waitFor()
    await untilPublic(/A <strong>disk<\/strong> was full\./)

    const card = page.getByRole('region', { name: 'Post-mortem' })
    await hand.press(card.getByRole('button', { name: 'Edit' }))
    await hand.write(page.getByLabel('What happened'), 'We replaced the disk.')
    await hand.press(button('Publish post-mortem'))
    await untilPublic(/We replaced the disk\./)
    if (hand === mouse) {
      const visitor = await page.context().newPage()
      await visitor.goto(address)
      await visitor.getByRole('heading', { name: /^Post-mortem/ }).waitFor()
      await assertSound(visitor)
      await visitor.close()
    }

    await hand.press(card.getByRole('button', { name: 'Delete…' }))
    await hand.press(page.getByRole('dialog').getByRole('button', { name: 'Delete post-mortem' }))
    await page.getByText('No post-mortem yet').waitFor()
    await untilPublic(/id="post-mortem"/, false)
    assert.match(await (await fetch(address)).text(), /Login errors/)
    await close()
  })
}
