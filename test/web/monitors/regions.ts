// Where a monitor is checked from: chosen in its form, in order, and shown beside it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTeam } from '../../private/screens.ts'
import { assertSoundOnce } from '../fixture.ts'
import { INPUT_METHODS } from '../input-methods.ts'
import type { Shared } from '../shared.ts'

export function testRegions(shared: Shared): void {
  for (const hand of INPUT_METHODS)
    test(`regions: chosen in the form, shown beside the monitor, and given up ${hand.name}`, async () => {
      const { fixture } = shared
      const team = await createTeam(fixture)
      await fixture.db.run(
        `with named as (
           insert into regions (name) values ('eu-west'), ('us-east') on conflict (name) do nothing)
         insert into probes (region, name, version, late_ms, last_seen_at)
         select name, name || '-1', '0.2.0', 12, now() from unnest('{eu-west,us-east}'::text[]) name
         on conflict (region, name) do update set last_seen_at = now()`,
      )
      const { id } = await team.createMonitor({
        name: 'Shop',
        type: 'PORT',
        host: '127.0.0.1',
        port: 9,
      })
      const { page, wrong, close } = await fixture.open(
        team.orgId,
        'MEMBER',
        `/monitors/${id}/edit`,
      )
      const first = page.getByLabel('Checked from')
      const second = page.getByLabel('While that has no probe').first()
      const save = () => hand.press(page.getByRole('button', { name: 'Save' }))
      await hand.choose(first, 'us-east')
      await hand.choose(second, 'eu-west')
      await assertSoundOnce(page, hand)
      await save()
      const aside = page.getByRole('complementary')
      await aside.getByText('us-east, eu-west').waitFor()

      await page.goto(`/monitors/${id}/edit`)
      await second.waitFor()
      assert.equal(await first.inputValue(), 'us-east')
      assert.equal(await second.inputValue(), 'eu-west')
      await hand.choose(page.getByLabel('Checks run in'), 'EACH')
      await hand.choose(page.getByLabel('Down when it fails in'), '1')
      await assertSoundOnce(page, hand)
      await save()
      await aside.getByText('us-east, eu-west, all at once').waitFor()

      await page.goto(`/monitors/${id}/edit`)
      await page.getByLabel('And from').first().waitFor()
      assert.equal(await page.getByLabel('Down when it fails in').inputValue(), '1')
      await hand.choose(first, '')
      await save()
      await aside.getByText('Settings').waitFor()
      assert.equal(await aside.getByText('Checked from').count(), 0)
      assert.deepEqual(wrong, [])
      await close()
    })
}
