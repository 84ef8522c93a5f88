// Many monitors: all that match are tagged and paused at once, and found by their tag.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTeam } from '../../private/screens.ts'
import { assertSoundOnce } from '../fixture.ts'
import { INPUT_METHODS } from '../input-methods.ts'
import { type Shared, until } from '../shared.ts'

const MONITORS = 30
const PAGE_SIZE = 25
const IMPORTED = 60

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
      await assertSoundOnce(page, hand)
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

  for (const hand of INPUT_METHODS)
    test(`fleet: a CSV is pasted, checked and imported, and again without duplicates ${hand.name}`, async () => {
      const { fixture } = shared
      const team = await createTeam(fixture)
      await team.createMonitor({ name: 'Old', type: 'CRON' })
      const { page, wrong, close } = await fixture.open(team.orgId, 'MEMBER', '/monitors')
      const dialog = page.getByRole('dialog')
      const lines = Array.from({ length: IMPORTED }, (_, index) => `Job ${index},CRON,,,nightly`)
      const csv = ['name,type,url,owner,tags', ...lines, ',,https://a.example,,', 'B,FTP,b,,'].join(
        '\n',
      )

      const begin = async () => {
        await hand.press(page.getByRole('button', { name: 'Import', exact: true }))
        await dialog.getByLabel('Or paste it here').fill(csv)
        await hand.press(dialog.getByRole('button', { name: 'Check file' }))
      }
      await begin()
      await dialog.getByText(`${IMPORTED} monitors will be created.`).waitFor()
      await dialog.getByText("2 rows can't be imported:").waitFor()
      await dialog.getByText('Enter a name.').waitFor()
      await dialog.getByText(/^Use one of the types HTTP/).waitFor()
      await dialog.getByText('Ignored columns: owner.').waitFor()
      await assertSoundOnce(page, hand)
      await hand.press(dialog.getByRole('button', { name: `Import ${IMPORTED} monitors` }))
      await page.getByText(`${IMPORTED} monitors imported`).waitFor()
      await page.getByText(`1–${PAGE_SIZE} of ${IMPORTED + 1}`).waitFor()

      await begin()
      await dialog.getByText(/^60 rows are skipped/).waitFor()
      await dialog.getByText('Nothing in this file can be imported.').waitFor()
      await hand.press(dialog.getByRole('button', { name: 'Back' }))
      await hand.press(dialog.getByRole('button', { name: 'Cancel' }))
      await dialog.waitFor({ state: 'detached' })
      assert.deepEqual(wrong, [])
      await close()
    })

  for (const hand of INPUT_METHODS)
    test(`fleet: a view is saved, applied, renamed and deleted ${hand.name}`, async () => {
      const { fixture } = shared
      const team = await createTeam(fixture)
      for (const name of ['Shop', 'Other']) await team.createMonitor({ name, type: 'CRON' })
      const { page, wrong, close } = await fixture.open(
        team.orgId,
        'MEMBER',
        '/monitors?q=shop&sort=name',
      )
      const dialog = page.getByRole('dialog')
      const views = page.getByRole('button', { name: 'Views', exact: true })
      const item = (name: string) => page.getByRole('menuitem', { name })

      await hand.press(views)
      await hand.press(item('Save this view…'))
      await hand.write(dialog.getByLabel('Name'), 'Shops')
      await assertSoundOnce(page, hand)
      await hand.press(dialog.getByRole('button', { name: 'Save view' }))
      await page.getByText('View Shops saved').waitFor()

      await page.goto('/monitors?state=DOWN')
      await hand.press(views)
      await hand.press(item('Shops'))
      await page.waitForURL('**/monitors?q=shop&sort=name')
      await page.getByRole('link', { name: 'Shop', exact: true }).waitFor()

      await hand.press(views)
      await hand.press(item('Manage views…'))
      await hand.press(dialog.getByRole('button', { name: 'Rename Shops' }))
      await hand.write(dialog.getByLabel('New name of Shops'), 'All shops')
      await hand.press(dialog.getByRole('button', { name: 'Save', exact: true }))
      await hand.press(dialog.getByRole('button', { name: 'Delete All shops' }))
      await dialog.getByText('Delete “All shops” for everyone?').waitFor()
      await assertSoundOnce(page, hand)
      await hand.press(dialog.getByRole('button', { name: 'Delete view' }))
      await page.getByText('View All shops deleted').waitFor()
      await hand.press(dialog.getByRole('button', { name: 'Close' }).last())
      await dialog.waitFor({ state: 'detached' })
      assert.deepEqual(wrong, [])
      await close()
    })

  for (const hand of INPUT_METHODS)
    test(`fleet: a tag is renamed and deleted, and says where it is used ${hand.name}`, async () => {
      const { fixture } = shared
      const team = await createTeam(fixture)
      const monitor = await team.createMonitor({ name: 'Shop', type: 'CRON' })
      const tags = `/organizations/${team.orgId}/monitors/${monitor.id}/tags`
      await team.member.post(tags, { names: ['prod', 'eu'] })
      const { page, wrong, close } = await fixture.open(team.orgId, 'MEMBER', '/monitors')
      const dialog = page.getByRole('dialog')
      await hand.press(page.getByRole('button', { name: 'Views', exact: true }))
      await hand.press(page.getByRole('menuitem', { name: 'Manage tags…' }))
      await hand.press(dialog.getByRole('button', { name: 'Rename prod' }))
      await hand.write(dialog.getByLabel('New name of prod'), 'EU')
      await hand.press(dialog.getByRole('button', { name: 'Save', exact: true }))
      await dialog.getByText('There is already a tag "eu".').waitFor()
      await hand.write(dialog.getByLabel('New name of prod'), 'Production')
      await hand.press(dialog.getByRole('button', { name: 'Save', exact: true }))
      await hand.press(dialog.getByRole('button', { name: 'Delete eu' }))
      await dialog.getByText('Delete “eu”? It is removed from 1 monitor.').waitFor()
      await assertSoundOnce(page, hand)
      await hand.press(dialog.getByRole('button', { name: 'Delete tag' }))
      await page.getByText('Tag eu deleted').waitFor()
      await hand.press(dialog.getByRole('button', { name: 'Close' }).last())
      await page.getByRole('group', { name: 'Tags: Production' }).waitFor()
      assert.deepEqual(wrong, [])
      await close()
    })

  for (const hand of INPUT_METHODS)
    test(`status page: a section follows a tag after its names were shown ${hand.name}`, async () => {
      const { fixture } = shared
      const team = await createTeam(fixture)
      const at = (path: string) => `/organizations/${team.orgId}${path}`
      const [shop, api] = [
        await team.createMonitor({ name: 'Shop', type: 'CRON' }),
        await team.createMonitor({ name: 'Api', type: 'CRON' }),
      ]
      await team.member.post(at(`/monitors/${shop.id}/tags`), { names: ['Public'] })
      const sections = [{ name: 'Services', components: [{ monitorId: api.id }] }]
      const made = await team.owner.post(at('/status-pages'), { name: 'Acme', sections })
      const { id, url } = made.json as { id: string; url: string }
      const { page, wrong, close } = await fixture.open(team.orgId, 'MEMBER', `/status-pages/${id}`)
      const dialog = page.getByRole('dialog')
      await hand.press(page.getByRole('button', { name: 'More for section Services' }))
      await hand.press(page.getByRole('menuitem', { name: 'Follow a tag…' }))
      const tag = dialog.getByLabel('Tag')
      const value = await tag.locator('option', { hasText: 'Public' }).getAttribute('value')
      await hand.choose(tag, value ?? '')
      await dialog.getByText('Visitors of this page will see the name of this monitor.').waitFor()
      await dialog.getByRole('listitem').getByText('Shop').waitFor()
      await dialog.getByText('removed from the section: Api').waitFor()
      await assertSoundOnce(page, hand)
      await hand.press(dialog.getByRole('button', { name: 'Show 1 monitor' }))
      await page.getByText('The section follows “Public”').waitFor()
      await page.getByText('Follows “Public”', { exact: true }).waitFor()
      await untilShown(url, '>Shop<')

      await page.goto(`/monitors/${api.id}/edit`)
      await hand.write(page.getByLabel(/^Tags/), 'public')
      await page.getByText('Acme shows every monitor tagged “Public”').waitFor()
      await assertSoundOnce(page, hand)
      await hand.press(page.getByRole('button', { name: /^Save/ }))
      await page.waitForURL(`**/monitors/${api.id}`)
      await untilShown(url, '>Api<')
      assert.deepEqual(wrong, [])
      await close()
    })
}

/** Visitors see a change within two seconds, not at once. */
const untilShown = (url: string, text: string) =>
  until(`${text} at ${url}`, async () =>
    (await (await fetch(url)).text()).includes(text) ? true : undefined,
  )
