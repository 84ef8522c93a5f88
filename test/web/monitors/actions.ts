// Doing things fast: from a row's menu, from the command palette and on a phone, with one toast that covers no control.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { createTeam } from '../../private/screens.ts'
import { assertSound, assertSoundOnce } from '../fixture.ts'
import { INPUT_METHODS, thumb } from '../input-methods.ts'
import { type Shared, until } from '../shared.ts'

// Without the stream, the list is read again after 30 s.
const BEFORE_A_REFRESH_MS = 15_000

// Buttons and fields that a toast lies on.
const COVERED = `(() => {
  const toast = document.querySelector('.toast').getBoundingClientRect()
  return [...document.querySelectorAll('button, input, select, a.btn')]
    .filter((element) => !element.closest('.toasts') && element.checkVisibility())
    .filter((element) => {
      const box = element.getBoundingClientRect()
      return box.left < toast.right && box.right > toast.left && box.top < toast.bottom && box.bottom > toast.top
    })
    .map((element) => element.outerHTML.slice(0, 120))
})()`

async function assertOneToast(page: Page, sentence: string): Promise<void> {
  await page.locator('.toast', { hasText: sentence }).waitFor()
  await until('one toast', async () => (await page.locator('.toast').count()) === 1 || undefined)
  await until('nothing covered', async () => {
    const covered = (await page.evaluate(COVERED)) as string[]
    return covered.length === 0 || undefined
  })
}

/** A team with a monitor that is down. */
async function withDown({ fixture, out }: Shared, name: string) {
  const team = await createTeam(fixture)
  const target = out.web.page({ status: 500 })
  const monitor = await team.createMonitor({ name, type: 'HTTP', url: target.url })
  const open = async () =>
    (await team.read('incidents', '/overview/incidents?status=ONGOING')).data[0]
  await until('an incident', open)
  return { team, monitor, target, open }
}

export function testActions(shared: Shared): void {
  for (const hand of INPUT_METHODS)
    test(`row menu: acknowledged, paused, resumed and put into maintenance ${hand.name}`, async () => {
      const { team, open } = await withDown(shared, 'Shop')
      const { page, wrong, close } = await shared.fixture.open(team.orgId, 'MEMBER', '/monitors')
      const row = page.locator('tbody tr', { hasText: 'Shop' })
      await row.locator('.state', { hasText: 'Down' }).waitFor()
      const act = async (name: string) => {
        await hand.press(page.getByRole('button', { name: 'Actions for Shop' }))
        await hand.press(page.getByRole('menuitem', { name, exact: true }))
      }
      await act('Acknowledge')
      await assertOneToast(page, 'Acknowledged. Reminders are off.')
      assert.notEqual((await open())?.acknowledgedAt, null)

      await act('Pause')
      await assertOneToast(page, 'Shop paused. Its incident was closed.')
      assert.equal(await open(), undefined)
      await row.locator('.state', { hasText: 'Paused' }).waitFor()
      await act('Resume')
      await assertOneToast(page, 'Shop resumed')
      assert.equal(await page.locator('.toast .act').count(), 0, 'nothing left to undo')

      await act('Maintenance…')
      await hand.choose(page.getByLabel('Duration', { exact: true }), '30')
      await hand.press(page.getByRole('button', { name: 'Start maintenance' }))
      await row.locator('.state', { hasText: 'Maintenance' }).waitFor()
      assert.deepEqual(wrong, [])
      await close()
    })

  for (const hand of INPUT_METHODS)
    test(`bar above every screen: acknowledges in one step ${hand.name}`, async () => {
      const { team, open } = await withDown(shared, 'Checkout')
      const { page, wrong, close } = await shared.fixture.open(team.orgId, 'MEMBER', '/settings')
      const button = page.getByRole('button', { name: 'Acknowledge Checkout' })
      await button.waitFor()
      await assertSoundOnce(page, hand)
      if (hand.name.includes('mouse')) await hand.press(button)
      else await page.keyboard.press('Shift+A')
      await assertOneToast(page, 'Acknowledged. Reminders are off.')
      assert.notEqual((await open())?.acknowledgedAt, null)
      await button.waitFor({ state: 'detached' })
      assert.deepEqual(wrong, [])
      await close()
    })

  test('banner of a monitor that is down: acknowledges it, and no button of another is there', async () => {
    const { team, monitor, open } = await withDown(shared, 'Cart')
    const path = `/monitors/${monitor.id}`
    const { page, wrong, close } = await shared.fixture.open(team.orgId, 'MEMBER', path)
    await page.getByRole('link', { name: '1 unacknowledged' }).waitFor()
    const button = page.getByRole('status').getByRole('button', { name: 'Acknowledge' })
    assert.equal(await page.getByRole('button', { name: 'Acknowledge Cart' }).count(), 0)
    await button.click()
    await assertOneToast(page, 'Acknowledged. Reminders are off.')
    assert.notEqual((await open())?.acknowledgedAt, null)
    await button.waitFor({ state: 'detached' })
    assert.deepEqual(wrong, [])
    await close()
  })

  test('palette: acknowledges from anywhere in two keys, pauses, resumes and silences', async () => {
    const { team, open } = await withDown(shared, 'Checkout')
    const { page, wrong, close } = await shared.fixture.open(team.orgId, 'MEMBER', '/settings')
    await page.getByRole('heading', { level: 1 }).waitFor()
    const field = page.getByRole('combobox', { name: /^Search/ })
    const option = (name: string | RegExp) => page.getByRole('option', { name, exact: true })
    const selected = (name: string | RegExp) =>
      option(name).and(page.locator('[aria-selected=true]')).waitFor()

    await page.keyboard.press('a')
    await selected('Acknowledge Checkout')
    await assertSound(page)
    await page.keyboard.press('Enter')
    await assertOneToast(page, 'Acknowledged. Reminders are off.')
    assert.notEqual((await open())?.acknowledgedAt, null)

    await page.keyboard.press('/')
    await field.pressSequentially('pause check')
    await selected('Pause Checkout')
    assert.deepEqual(await option('Pause Checkout').locator('mark').allTextContents(), [
      'Pause Check',
    ])
    await page.keyboard.press('Enter')
    await assertOneToast(page, 'Checkout paused. Its incident was closed.')

    await page.keyboard.press('/')
    await field.pressSequentially('resume')
    await selected('Resume a monitor…')
    await page.keyboard.press('Enter')
    await selected('Resume Checkout')
    await page.keyboard.press('Enter')
    await assertOneToast(page, 'Checkout resumed')

    await page.keyboard.press('/')
    await field.pressSequentially('checko')
    await page.getByRole('option', { name: /^Checkout http/ }).waitFor()
    await page.keyboard.press('Tab')
    await selected(/^Open Checkout/)
    await field.pressSequentially('main')
    await selected('Start maintenance for Checkout…')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Maintenance for Checkout' })
    await dialog.getByRole('button', { name: 'Start maintenance' }).click()
    await assertOneToast(page, 'Maintenance is on for 1 monitor')

    await page.keyboard.press('/')
    await field.pressSequentially('create mon')
    await option('Create monitor').click()
    await page.waitForURL('**/monitors/new')
    assert.deepEqual(wrong, [])
    await close()
  })

  test('phone: rows are selected by touch, the theme is chosen, and the number of incidents is shown', async () => {
    const { team } = await withDown(shared, 'Shop')
    const { fixture } = shared
    const { page, wrong, close } = await fixture.open(team.orgId, 'MEMBER', '/monitors', 'phone')
    await page.locator('.tabbar').getByRole('img', { name: '1 ongoing' }).waitFor()
    const box = page.getByRole('checkbox', { name: 'Select Shop' })
    assert.equal(await box.isVisible(), false)
    await thumb.press(page.getByRole('button', { name: 'Select', exact: true }))
    await thumb.tick(box)
    await page.getByRole('toolbar', { name: '1 monitor selected' }).waitFor()
    await assertSound(page)
    await thumb.press(page.getByRole('button', { name: 'Done', exact: true }))
    await box.waitFor({ state: 'hidden' })
    await thumb.press(page.getByRole('button', { name: 'More', exact: true }))
    await page
      .getByRole('menu')
      .getByText(/^Times in /)
      .waitFor()
    await thumb.press(page.getByRole('menuitemradio', { name: 'Dark' }))
    await page.locator('html[data-theme=dark]').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    await assertSound(page)
    assert.deepEqual(wrong, [])
    await close()
  })

  test('live: a change between the first read and the stream is shown when the stream opens', async () => {
    const { fixture, out } = shared
    const team = await createTeam(fixture)
    const target = out.web.page({ body: 'fine' })
    const monitor = await team.createMonitor({ name: 'Live', type: 'HTTP', url: target.url })
    const { page, close } = await fixture.open(team.orgId, 'READ_ONLY', '/monitors')
    const state = (word: string) => page.locator('tbody .state', { hasText: word })
    await state('Up').waitFor()
    const opened = Promise.withResolvers<void>()
    const asked = Promise.withResolvers<void>()
    await page.route(
      ({ pathname }) => pathname.endsWith('/stream'),
      async (route) => {
        asked.resolve()
        await opened.promise
        await route.continue()
      },
    )
    await page.reload()
    await state('Up').waitFor()
    await asked.promise
    target.become({ status: 500 })
    await team.owner.post(`/organizations/${team.orgId}/monitors/${monitor.id}/check`, {})
    opened.resolve()
    await state('Down').waitFor({ timeout: BEFORE_A_REFRESH_MS })
    await close()
  })
}
