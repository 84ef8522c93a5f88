// Monitors and incidents with menus, dialogs, toasts and errors.
import type { Page } from 'playwright-core'
import type { Things } from './routes.ts'
import { breakReads, respondingWith, type Shot } from './shot.ts'

type Act = NonNullable<Shot['act']>

const shot = (name: string, path: string, act?: Act): Shot => ({
  name,
  path,
  isAuth: false,
  ...(act && { act }),
})
const dialog = (page: Page) => page.getByRole('dialog').waitFor()
const menu = (page: Page) => page.getByRole('menu').waitFor()
const press = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name }).first().click()

export function watchingShots(things: Things): Shot[] {
  return [
    ...shellShots(),
    ...listShots(),
    ...monitorShots(`/monitors/${things['monitorId']}`),
    ...formShots(`/monitors/${things['HTTP']}/edit`),
    ...incidentShots(things),
  ]
}

function shellShots(): Shot[] {
  return [
    shot('palette', '/monitors', async (page) => {
      await page.keyboard.press('/')
      await page.getByRole('dialog').getByRole('combobox').fill('ch')
      await page.getByRole('option').first().waitFor()
    }),
    shot('palette-command', '/monitors', async (page) => {
      await page.keyboard.press('/')
      await page.getByRole('dialog').getByRole('combobox').fill('pause ch')
      await page
        .getByRole('option', { name: /^Pause / })
        .first()
        .waitFor()
    }),
    shot('palette-one', '/monitors', async (page) => {
      await page.keyboard.press('/')
      await page.getByRole('dialog').getByRole('combobox').fill('checkout')
      await page
        .getByRole('option', { name: /^Checkout/ })
        .first()
        .waitFor()
      await page.keyboard.press('Tab')
      await page.getByRole('option', { name: /^Open / }).waitFor()
    }),
    shot('palette-none', '/monitors', async (page) => {
      await page.keyboard.press('/')
      await page.getByRole('dialog').getByRole('combobox').fill('nothing like it')
      await page.waitForTimeout(600)
    }),
    shot('keyboard-help', '/monitors', async (page) => {
      await page.keyboard.press('?')
      await dialog(page)
    }),
    shot('menu-organization', '/monitors', async (page) => {
      await page.locator('button.org:visible, button.org-small:visible').click()
      await menu(page)
    }),
    // On phones, the remaining pages and the person share one menu.
    shot('menu-person', '/monitors', async (page) => {
      await page.locator('button.me:visible, .tabbar button:visible').click()
      await menu(page)
    }),
    shot('theme-told', '/monitors', (page) => page.keyboard.press('t')),
  ]
}

async function pick(page: Page) {
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  await page.getByRole('toolbar').waitFor()
}

async function acknowledge(page: Page) {
  await page.keyboard.press('a')
  await page
    .getByRole('option', { name: /^Acknowledge / })
    .first()
    .waitFor()
  await page.keyboard.press('Enter')
  await page.locator('.toast').waitFor()
}

function listShots(): Shot[] {
  return [
    {
      ...shot('monitors-waiting', '/monitors'),
      isWaiting: true,
      before: (page) => breakReads(page, 'SLOW'),
    },
    shot('monitors-none-match', '/monitors?q=nothing+like+it'),
    shot('monitors-picked', '/monitors', pick),
    shot('monitors-row-menu', '/monitors', async (page) => {
      await page
        .getByRole('button', { name: /^Actions for/ })
        .first()
        .click()
      await menu(page)
    }),
    shot('monitors-acknowledged', '/monitors', acknowledge),
    shot('monitors-maintenance', '/monitors', async (page) => {
      await pick(page)
      await press(page, 'Maintenance')
      await dialog(page)
    }),
    shot('monitors-delete', '/monitors', async (page) => {
      await pick(page)
      await press(page, 'Delete')
      await dialog(page)
    }),
    {
      ...shot('monitors-paused', '/monitors', async (page) => {
        await pick(page)
        await press(page, 'Pause')
        await page.getByRole('button', { name: 'Undo' }).waitFor()
      }),
      before: respondingWith('**/monitors/*/pause', {}),
    },
    shot('monitors-lost', '/monitors', async (page) => {
      await breakReads(page, 'AWAY')
      await page.getByRole('link', { name: /^Up / }).click()
      await page.getByText('No connection').waitFor()
    }),
  ]
}

function monitorShots(path: string): Shot[] {
  return [
    {
      ...shot('monitor-waiting', path),
      isWaiting: true,
      before: (page) => breakReads(page, 'SLOW'),
    },
    shot('monitor-gone', '/monitors/mon_01m7e3dhx0e008000mxrf1bnxa'),
    shot('monitor-menu', path, async (page) => {
      await press(page, /^More/)
      await menu(page)
    }),
    shot('monitor-delete', path, async (page) => {
      await press(page, /^More/)
      await page.getByRole('menuitem', { name: /Delete/ }).click()
      await dialog(page)
    }),
    shot('monitor-custom-range', `${path}?range=custom`),
    shot('monitor-check-open', path, (page) =>
      page.locator('table.log button.square').first().click(),
    ),
  ]
}

function formShots(path: string): Shot[] {
  return [
    shot('new-monitor-refused', '/monitors/new', async (page) => {
      await page.getByLabel('URL').fill('ftp://acme.example')
      await press(page, /^Create/)
      await page.getByRole('alert').waitFor()
    }),
    shot('edit-monitor-tested', path, async (page) => {
      await page.locator('.form-more summary').click()
      await press(page, /^Test/)
      await page.locator('.trial').waitFor()
    }),
  ]
}

function incidentShots({ untakenId, endedId, incidentId }: Things): Shot[] {
  const incident = (name: string, id: string | undefined, hash = '') =>
    id === undefined ? [] : [shot(`incident-${name}`, `/incidents/${id}${hash}`)]
  return [
    shot('incidents-resolved', '/incidents?state=resolved'),
    shot('incidents-ongoing', '/incidents?state=ongoing'),
    shot('incidents-none-match', '/incidents?q=nothing+like+it'),
    ...incident('untaken', untakenId),
    ...incident('acknowledge', untakenId, '#acknowledge'),
    ...incident('taken', incidentId),
    ...incident('ended', endedId),
  ]
}
