// The few dashboard screenshots used in the documentation.
import type { Browser } from 'playwright-core'
import { findThings, type Running } from './acme.ts'
import { Camera, signIn, type View } from './camera.ts'
import { keepSmall } from './keep-small.ts'
import type { Shot } from './shot.ts'

type Picture = { name: string; path: string; look: View }

export async function shootDocumentation(
  browser: Browser,
  running: Running,
  folder: string,
): Promise<void> {
  const things = await findThings(running)
  const cookies = await signIn(browser, running.baseUrl, running.person)
  const camera = new Camera(browser, running.baseUrl, cookies)
  const desktop: View = { width: 1280, theme: 'light' }
  const phone: View = { width: 390, theme: 'dark' }
  const pictures: Picture[] = [
    { name: 'dashboard-monitors', path: '/monitors', look: desktop },
    { name: 'dashboard-monitors-dark', path: '/monitors', look: { width: 1280, theme: 'dark' } },
    { name: 'dashboard-monitor', path: `/monitors/${things['HTTP']}`, look: desktop },
    { name: 'dashboard-incident-phone', path: `/incidents/${things['incidentId']}`, look: phone },
    { name: 'dashboard-status-page', path: `/status-pages/${things['pageId']}`, look: desktop },
    { name: 'dashboard-webhooks', path: '/webhooks', look: desktop },
    { name: 'dashboard-alert-contacts', path: '/alert-contacts', look: desktop },
    { name: 'dashboard-maintenance', path: '/maintenance', look: desktop },
  ]
  for (const { name, path, look } of pictures) {
    const shot: Shot = { name, path, isAuth: false }
    const page = await camera.open(shot, look)
    // A preview is a separate document, drawn after the screen around it.
    for (const frame of page.frames().slice(1)) {
      await frame.waitForSelector('h1, h2')
      await frame.evaluate('document.fonts.ready')
    }
    await keepSmall(page, folder, name)
    await page.context().close()
  }
}
