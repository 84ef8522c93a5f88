// The first steps of an organization, with page reloads and network failures.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Route } from 'playwright-core'
import { atFocus, INPUT_METHODS } from '../input-methods.ts'
import { type Shared, until } from './shared.ts'

export function testWelcome(shared: Shared): void {
  for (const hand of INPUT_METHODS)
    test(`welcome: comes back to where the person was, and makes one contact however often it is tried ${hand.name}`, async () => {
      const { fixture, out } = shared
      const { id } = await fixture.createOrganization()
      const { person, visitor } = await fixture.join(id, 'OWNER')
      const { page, close } = await fixture.openAs(person, '/welcome')
      const button = (name: string) => page.getByRole('button', { name, exact: true })
      const comesBack = async (step: string) => {
        const here = page.locator('[aria-current=step]').getByRole('heading', { name: step })
        await here.waitFor()
        await page.reload()
        await here.waitFor()
      }
      await comesBack('What should be watched?')
      await hand.write(page.getByLabel('URL'), out.web.page({ body: 'fine' }).url)
      await hand.press(button('Look at it'))
      await hand.press(button('Watch it every minute'))
      await atFocus(page.getByLabel('E-mail'))
      // Also without the step in the URL: it detects what exists already.
      await page.goto('/welcome')
      await atFocus(page.getByLabel('E-mail'))
      await page.getByRole('listitem').getByText('127.0.0.1').waitFor()

      const address = `first-${hand.name.replaceAll(' ', '-')}@example.com`
      // Addresses of members need no confirmation.
      for (const email of [`typo-${address}`, address])
        await fixture.addMember(id, await fixture.addPerson({ email }), 'MEMBER')
      let aborted = 0
      const abort = (route: Route) => {
        aborted += 1
        return route.abort()
      }
      await page.route('**/alert-contacts/*/test', abort, { times: 2 })
      for (const [index, typed] of [`typo-${address}`, address].entries()) {
        await hand.write(page.getByLabel('E-mail'), typed)
        await hand.press(page.getByRole('button', { name: /^(?:Add contact|Send a test)$/ }))
        await until('the test fails', () => aborted > index || undefined)
        await page.getByRole('main').getByText('The server cannot be reached.').waitFor()
      }
      await comesBack('Who is told when it breaks?')
      assert.equal(await page.getByLabel('E-mail').inputValue(), address)
      await hand.press(button('Send a test'))
      await atFocus(page.getByLabel('Name of the page'))
      const { json } = await visitor.get(`/organizations/${id}/alert-contacts`)
      const contacts = (json as { data: { name: string; settings: object }[] }).data
      assert.deepEqual(
        contacts.map(({ name, settings }) => ({ name, settings })),
        [{ name: address, settings: { address } }],
      )
      await until('the test', () => out.mail.to(address)[0])

      await comesBack('A status page for your readers')
      await hand.press(button('Publish the page'))
      await comesBack('A key for your programs')
      await hand.press(button('Make a key'))
      await page.getByLabel('API key').waitFor()
      await hand.press(button('I have copied it'))
      const end = page.getByRole('link', { name: 'Go to the monitors' })
      await atFocus(end)
      await page.reload()
      await atFocus(end)
      await page.getByRole('link', { name: /\/status\// }).waitFor()
      await hand.press(end)
      await page.locator('[data-row]').waitFor()
      assert.equal(new URL(page.url()).search, '', 'the step stays behind')
      await close()
    })
}
