// A certificate or a registration near its end is a state of its own, and never called slow.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ago, createTeam, DAY, HOUR } from '../../private/screens.ts'
import { assertSoundOnce } from '../fixture.ts'
import { INPUT_METHODS } from '../input-methods.ts'
import type { Shared } from '../shared.ts'

export function testExpiring(shared: Shared): void {
  for (const hand of INPUT_METHODS)
    test(`list: what expires soon has its own count, filter and place ${hand.name}`, async () => {
      const { fixture } = shared
      const team = await createTeam(fixture)
      const url = 'https://shop.example.com'
      const slow = { name: 'Slow page', type: 'HTTP', url }
      const certificate = { name: 'Certificate', type: 'SSL', url, sslExpiryThresholdDays: 14 }
      const domain = { name: 'Domain', type: 'DOMAIN', url: 'example.com' }
      const expiresAt = ago(-8 * DAY - HOUR)
      for (const [fields, found] of [
        [slow, {}],
        [certificate, { cert_expires_at: expiresAt }],
        [domain, { domain_expires_at: expiresAt }],
      ] as const) {
        const { id } = await team.createMonitor(fields)
        // No check may change it during the test.
        await team.member.post(`/organizations/${team.orgId}/monitors/${id}/pause`, {})
        const due = { next_due_at: ago(-DAY) }
        await fixture.db.setMonitorStatus(id, { state: 'DEGRADED', ...due, ...found })
      }
      const { page, wrong, close } = await fixture.open(team.orgId, 'MEMBER', '/monitors')
      await page.getByText('1 degraded and 2 expiring of 3.').waitFor()
      assert.deepEqual(await page.locator('tbody tr .name a').allTextContents(), [
        'Slow page',
        'Certificate',
        'Domain',
      ])
      await page.getByRole('img', { name: /worst first: 1 degraded, 2 expiring$/ }).waitFor()
      await page.getByRole('img', { name: 'Certificate, last 24 hours: expiring now' }).waitFor()

      await hand.press(page.getByRole('link', { name: 'Expiring 2' }))
      await page.waitForURL('**/monitors?state=EXPIRING')
      await page.getByText('1–2 of 2').waitFor()
      await page.locator('tbody .state', { hasText: '8 days left' }).first().waitFor()
      assert.doesNotMatch(await page.locator('tbody').innerText(), /slow|degraded/i)
      await assertSoundOnce(page, hand)

      await hand.press(page.getByRole('link', { name: 'Certificate', exact: true }))
      await page.getByRole('status').filter({ hasText: 'Valid for 8 days' }).waitFor()
      assert.doesNotMatch(await page.locator('main').innerText(), /\bslow\b|degraded/i)
      assert.deepEqual(wrong, [])
      await close()
    })
}
