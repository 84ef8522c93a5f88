// What an owner decides for everyone: deleting the organization, requiring a second factor, the time zone.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { PASSWORD, type Person, stepNow, totp } from '../../private/fixture.ts'
import { assertSoundOnce } from '../fixture.ts'
import { INPUT_METHODS, type InputMethod, mouse } from '../input-methods.ts'
import { type Shared, settled } from '../shared.ts'

const button = (page: Page | Locator, name: string) =>
  page.getByRole('button', { name, exact: true })
const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true })

export function testOrganizationSettings(shared: Shared): void {
  for (const hand of INPUT_METHODS) {
    test(`organization: deleted by its name, closed to everyone, and back again ${hand.name}`, async () => {
      const { fixture } = shared
      const { id, api } = await fixture.createOrganization()
      const { page, wrong, close } = await fixture.open(id, 'OWNER', '/settings')
      await hand.press(button(page, 'Delete organization…'))
      const dialog = page.getByRole('dialog')
      await hand.write(dialog.getByLabel('Type “Bench” to confirm'), 'bench')
      await hand.press(button(dialog, 'Delete organization'))
      await dialog.getByText('Type the name exactly as shown.').waitFor()
      await assertSoundOnce(page, hand)
      assert.equal((await api.get('/monitors')).status, 200, 'nothing is deleted yet')
      await hand.write(dialog.getByLabel('Type “Bench” to confirm'), 'Bench')
      await hand.press(button(dialog, 'Delete organization'))
      await heading(page, 'Bench is being deleted').waitFor()
      assert.equal((await api.get('/monitors')).status, 401)
      await assertSoundOnce(page, hand)

      const reader = await fixture.open(id, 'READ_ONLY', '/monitors')
      await heading(reader.page, 'Bench is being deleted').waitFor()
      await reader.page.getByText('An owner can undo this.').waitFor()
      assert.equal(await button(reader.page, 'Undo deletion').count(), 0)
      await reader.page.goto('/incidents')
      await heading(reader.page, 'Bench is being deleted').waitFor()
      await hand.press(button(reader.page, 'Leave organization…'))
      await hand.press(button(reader.page, 'Leave'))
      await heading(reader.page, "You're not in an organization yet").waitFor()
      await reader.close()

      await hand.press(button(page, 'Undo deletion'))
      await page.getByText('Deletion undone.').waitFor()
      await heading(page, 'Settings').waitFor()
      assert.equal((await api.get('/monitors')).status, 200)
      assert.deepEqual(wrong, [])
      await close()
    })

    test(`organization: another one is a way out of one that is being deleted ${hand.name}`, async () => {
      const { fixture } = shared
      const { id } = await fixture.createOrganization()
      const { person, visitor } = await fixture.join(id, 'OWNER')
      await visitor.post(`/organizations/${id}/deletion`, { name: 'Bench' })
      const { page, close } = await fixture.openAs(person, '/monitors')
      await heading(page, 'Bench is being deleted').waitFor()
      await fixture.addMember(fixture.orgId, person, 'MEMBER')
      await page.reload()
      await hand.press(button(page, 'Demo'))
      await heading(page, 'Monitors').waitFor()
      await close()
    })

    test(`second factor: required by an owner, set up at the door, seen in the team ${hand.name}`, async () => {
      const { fixture } = shared
      const { id } = await fixture.createOrganization()
      const owner = await addOwner(shared, id)
      const member = await fixture.addPerson({ name: 'Tom' })
      await fixture.addMember(id, member, 'ADMIN')
      const { page, wrong, close } = await fixture.openAs(owner, '/settings')
      await hand.press(button(page, 'Require for everyone…'))
      await page.getByText(/lose access until they set it up/).waitFor()
      await hand.press(button(page, 'Require it'))
      await page.getByText('Two-factor authentication is required').waitFor()
      await button(page, 'Make it optional').waitFor()
      await assertSoundOnce(page, hand)
      await page.goto('/team')
      await page.getByText(/haven't set it up and can't get in/).waitFor()

      const door = await fixture.openAs(member, '/monitors')
      await heading(door.page, 'One more step').waitFor()
      await assertSoundOnce(door.page, hand)
      await setUp(door.page, hand)
      await hand.press(button(door.page, 'Continue to Bench'))
      await settled(door.page)
      await heading(door.page, 'Monitors').waitFor()
      await door.close()

      await page.goto('/settings')
      await hand.press(button(page, 'Make it optional'))
      await page.getByText('Two-factor authentication is optional').waitFor()
      assert.deepEqual(wrong, [])
      await close()
    })

    test(`time zone: chosen, and the default of a new window ${hand.name}`, async () => {
      const { fixture } = shared
      const { id } = await fixture.createOrganization()
      const { page, wrong, close } = await fixture.open(id, 'ADMIN', '/settings')
      await hand.choose(page.getByLabel('Time zone'), 'Africa/Accra')
      await hand.press(button(page, 'Save time zone'))
      await page.getByText('Time zone saved').waitFor()
      await page.goto('/maintenance/new')
      await page.getByLabel('Time zone').waitFor()
      assert.equal(await page.getByLabel('Time zone').inputValue(), 'Africa/Accra')
      assert.deepEqual(wrong, [])
      await close()
    })
  }

  test('second factor: an owner without one is led to set it up first', async () => {
    const { fixture } = shared
    const { id } = await fixture.createOrganization()
    const { page, close } = await fixture.open(id, 'OWNER', '/settings')
    await mouse.press(page.getByRole('link', { name: 'Go to your account' }))
    await button(page, 'Set up an authenticator').waitFor()
    await close()
  })
}

async function addOwner({ fixture }: Shared, orgId: string): Promise<Person> {
  const person = await fixture.addPerson({ name: 'Olga' })
  await fixture.addMember(orgId, person, 'OWNER')
  await fixture.db.run(
    `update users set totp_seed = '\\x00', totp_confirmed_at = now() where id = $1`,
    [person.uuid],
  )
  return person
}

async function setUp(page: Page, hand: InputMethod): Promise<void> {
  await hand.press(button(page, 'Set up an authenticator'))
  await hand.write(page.getByRole('dialog').getByLabel('Password'), PASSWORD)
  await page.keyboard.press('Enter')
  const secret = (await page.locator('.secret code').innerText()).replaceAll(' ', '')
  await hand.write(page.getByLabel('6-digit code'), totp(secret, stepNow()))
  await page.keyboard.press('Enter')
  await heading(page, 'Save your recovery codes').waitFor()
  assert.equal(await page.locator('.recovery li').count(), 10)
  await hand.tick(page.getByLabel("I've saved them"))
  await hand.press(button(page, 'Done'))
}
