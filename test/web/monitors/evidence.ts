// Replay of a monitor, evidence of an incident, the ledger of a page: by mouse and by keyboard only.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { runUpv } from '../../../cli/test/run-upv.ts'
import { createTeam, type Team } from '../../private/screens.ts'
import { assertSoundOnce } from '../fixture.ts'
import { INPUT_METHODS } from '../input-methods.ts'
import { type Shared, until } from '../shared.ts'

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** A monitor that was down and is up again. */
async function outage({ out }: Shared, team: Team) {
  const target = out.web.page({ status: 503 })
  const { id } = await team.createMonitor({ name: 'Shop', type: 'HTTP', url: target.url })
  const incidentId = await until('the incident', async () => {
    const { data } = await team.read('incidents', '/overview/incidents?status=ONGOING')
    return data[0]?.id
  })
  target.become({})
  const checked = await team.owner.post(`/organizations/${team.orgId}/monitors/${id}/check`, {})
  assert.equal(checked.status, 200, checked.text)
  return { monitorId: id, incidentId }
}

export function testEvidence(shared: Shared): void {
  for (const hand of INPUT_METHODS) {
    test(`replay: another status would have opened no incident ${hand.name}`, async () => {
      const team = await createTeam(shared.fixture)
      const { monitorId } = await outage(shared, team)
      const path = `/monitors/${monitorId}`
      const { page, wrong, close } = await shared.fixture.open(team.orgId, 'READ_ONLY', path)
      await hand.press(button(page, 'More'))
      await hand.press(page.getByRole('menuitem', { name: 'Replay…' }))
      await hand.press(button(page, 'Replay'))
      const result = page.getByRole('region', { name: 'Result' })
      await result.getByText('Same').waitFor()
      await hand.write(page.getByLabel('Expected statuses'), '200, 503')
      await hand.press(button(page, 'Replay'))
      await result.getByText('Gone').waitFor()
      await assertSoundOnce(page, hand)
      await hand.write(page.getByLabel('Expected statuses'), '20x')
      await hand.press(button(page, 'Replay'))
      await page.getByText(/^Must be HTTP statuses/).waitFor()
      assert.deepEqual(
        wrong.filter((line) => !line.includes('400')),
        [],
      )
      await close()
    })

    test(`evidence: the downloaded file is genuine ${hand.name}`, async () => {
      const team = await createTeam(shared.fixture)
      const { incidentId } = await outage(shared, team)
      const path = `/incidents/${incidentId}`
      const { page, wrong, close } = await shared.fixture.open(team.orgId, 'READ_ONLY', path)
      const downloading = page.waitForEvent('download')
      await hand.press(button(page, 'Download evidence'))
      const download = await downloading
      assert.equal(download.suggestedFilename(), `${incidentId}.upvane-evidence`)
      const key = await team.reader.get(`/organizations/${team.orgId}/evidence-key`)
      const { publicKey } = key.json as { publicKey: string }
      const verified = await runUpv(['verify', await download.path(), '--key', publicKey])
      assert.equal(verified.code, 0, verified.stderr)
      assert.deepEqual(wrong, [])
      await close()
    })

    test(`ledger: shown and hidden ${hand.name}`, async () => {
      const team = await createTeam(shared.fixture)
      const made = await team.owner.post(`/organizations/${team.orgId}/status-pages`, {
        name: 'Acme',
      })
      const { id, slug } = made.json as { id: string; slug: string }
      const path = `/status-pages/${id}`
      const { page, wrong, close } = await shared.fixture.open(team.orgId, 'MEMBER', path)
      const isPublic = async (wanted: boolean) => {
        const { baseUrl } = shared.fixture.service
        const { status } = await fetch(`${baseUrl}/status/${slug}/ledger`)
        return (status === 200) === wanted || undefined
      }
      const toggle = page.getByRole('switch', { name: /Show the ledger/ })
      await hand.tick(toggle)
      await page.getByText('The ledger is public').waitFor()
      await until('the ledger', () => isPublic(true))
      await hand.tick(toggle, false)
      await page.getByText('The ledger is hidden').waitFor()
      await until('its end', () => isPublic(false))
      assert.deepEqual(wrong, [])
      await close()
    })
  }
}
