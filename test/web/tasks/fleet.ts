// Many monitors: all that match are tagged and paused at once, and found by their tag.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTeam } from '../../private/screens.ts'
import { assertSound } from '../fixture.ts'
import { INPUT_METHODS } from '../input-methods.ts'
import type { Shared } from './shared.ts'

const MONITORS = 30
const PAGE_SIZE = 25

export function testFleet(shared: Shared): void {
  for (const hand of INPUT_METHODS)
    test(`fleet: all that match are tagged, found by the tag and paused ${hand.name}`, async () => {
      const { fixture } = shared
      const team = await createTeam(fixture)
      for (let index = 0; index < MONITORS; index++)
        await team.createMonitor({ name: `Shop ${index}`, type: 'CRON' })
      await team.createMonitor({ name: 'Other', type: 'CRON' })
      const { page, wrong, close } = await fixture.open(team.orgId, 'MEMBER', '/monitors?q=shop')
      const bar = page.getByRole('toolbar')
      const dialog = page.getByRole('dialog')

      await hand.tick(page.getByRole('checkbox', { name: `Select all ${PAGE_SIZE} on this page` }))
      await hand.press(page.getByRole('button', { name: `Select all ${MONITORS} that match` }))
      await bar.getByText(`${MONITORS} selected`).waitFor()
      await hand.press(bar.getByRole('button', { name: 'Edit' }))
      await hand.write(dialog.getByLabel(/^Add tags/), 'Production, eu')
      await assertSound(page)
      await hand.press(dialog.getByRole('button', { name: 'Save changes' }))
      await page.getByText(`${MONITORS} monitors changed`).waitFor()
      await page.getByRole('group', { name: 'Tags: eu, Production' }).first().waitFor()

      await page.goto('/monitors')
      const tag = page.getByLabel('Tag', { exact: true })
      await tag.waitFor()
      const value = await tag.locator('option', { hasText: 'Production' }).getAttribute('value')
      await hand.choose(tag, value ?? '')
      await page.getByText(`1–${PAGE_SIZE} of ${MONITORS}`).waitFor()
      await hand.choose(page.getByLabel('Rows per page'), '50')
      await page.getByText(`1–${MONITORS} of ${MONITORS}`).waitFor()
      assert.equal(await page.locator('tbody tr').count(), MONITORS)
      assert.deepEqual(wrong, [])
      await close()
    })

  for (const hand of INPUT_METHODS)
    test(`monitor: its tags are set in its form and shown on its page ${hand.name}`, async () => {
      const { fixture } = shared
      const team = await createTeam(fixture)
      const monitor = await team.createMonitor({ name: 'Shop', type: 'CRON' })
      const { page, wrong, close } = await fixture.open(
        team.orgId,
        'MEMBER',
        `/monitors/${monitor.id}/edit`,
      )
      await hand.write(page.getByLabel(/^Tags/), 'Production, eu')
      await hand.press(page.getByRole('button', { name: /^Save/ }))
      await page.waitForURL(`**/monitors/${monitor.id}`)
      await page.getByRole('group', { name: 'Tags: eu, Production' }).waitFor()
      assert.deepEqual(wrong, [])
      await close()
    })
}
