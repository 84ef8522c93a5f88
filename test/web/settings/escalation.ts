// Escalation policies under Alert contacts: created for a tag, corrected, edited, deleted, by mouse and by keyboard only.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { createTeam, type Team } from '../../private/screens.ts'
import { assertSoundOnce } from '../fixture.ts'
import { atFocus, INPUT_METHODS } from '../input-methods.ts'
import type { Shared } from '../shared.ts'

type Policy = { targetName: string; steps: { afterMinutes: number; contactIds: string[] }[] }

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const stepOf = (page: Page, number: number) =>
  page.getByRole('group', { name: `Step ${number}`, exact: true })
const MINUTES = 'Minutes without an acknowledgement'

async function fill(team: Team): Promise<void> {
  const at = `/organizations/${team.orgId}`
  for (const name of ['Ben', 'Cleo'])
    await team.owner.post(`${at}/alert-contacts`, {
      name,
      channel: 'SLACK',
      settings: { url: 'https://hooks.example.com/x' },
    })
  const { id } = await team.createMonitor({ name: 'Shop', type: 'CRON' })
  await team.owner.post(`${at}/monitors/${id}/tags`, { names: ['Production'] })
}

async function listed(team: Team): Promise<Policy[]> {
  const answer = await team.reader.get(`/organizations/${team.orgId}/escalation-policies`)
  return (answer.json as { data: Policy[] }).data
}

export function testEscalation(shared: Shared): void {
  for (const hand of INPUT_METHODS)
    test(`escalation: created for a tag, corrected, edited and deleted ${hand.name}`, async () => {
      const { fixture } = shared
      const team = await createTeam(fixture)
      await fill(team)
      const { page, wrong, close } = await fixture.open(team.orgId, 'ADMIN', '/alert-contacts')
      await page.getByText('No escalation yet.').waitFor()
      await hand.press(button(page, 'New escalation'))
      const tag = page.getByLabel('Tag', { exact: true })
      const value = await tag.locator('option', { hasText: 'Production' }).getAttribute('value')
      await hand.choose(tag, value ?? '')
      await hand.press(button(page, 'Save escalation'))
      await page.getByText('Choose at least one contact.').waitFor()
      await assertSoundOnce(page, hand)
      await hand.write(stepOf(page, 1).getByLabel(MINUTES), '5')
      await hand.tick(stepOf(page, 1).getByLabel('Ben'))
      await hand.press(button(page, 'Add step'))
      assert.equal(await stepOf(page, 2).getByLabel('Ben').count(), 0, 'a contact is in one step')
      await hand.tick(stepOf(page, 2).getByLabel('Cleo'))
      await hand.press(button(page, 'Save escalation'))
      await page.getByText('Escalation saved').waitFor()
      await page.getByText('After 5 min: Ben').waitFor()
      await page.getByText('After 20 min: Cleo').waitFor()
      assert.deepEqual(
        (await listed(team)).map(({ targetName, steps }) => [targetName, steps.length]),
        [['Production', 2]],
      )

      await hand.press(button(page, 'Edit escalation of Production'))
      await hand.write(stepOf(page, 2).getByLabel(MINUTES), '5')
      await hand.press(button(page, 'Save escalation'))
      await page.getByText('Enter more minutes than in the step before.').waitFor()
      await hand.press(button(page, 'Remove step 2'))
      await hand.press(button(page, 'Save escalation'))
      await page.getByText('After 20 min: Cleo').waitFor({ state: 'detached' })
      assert.equal((await listed(team))[0]?.steps.length, 1)

      await hand.press(button(page, 'Delete escalation of Production'))
      await hand.press(button(page, 'Delete escalation'))
      await page.getByText('Escalation of Production deleted').waitFor()
      await page.getByText('No escalation yet.').waitFor()
      await atFocus(page.locator('main, main *'))
      assert.deepEqual(await listed(team), [])
      assert.deepEqual(wrong, [])
      await close()
    })
}
