// Reads a submitted form, and whether it came from our own page.
import { fromPublicId } from '../../domain/values/id.ts'
import type { WebRequest } from '../../platform/web-exchange.ts'
import type { ChoosableComponent } from '../../store/status-pages/subscribers.ts'
import { textOf } from '../serving/responses.ts'

// Enough for 200 components and an address.
const MAX_FORM_BYTES = 16_384

/** Undefined if it is longer than any of our forms. */
export async function readForm(request: WebRequest): Promise<URLSearchParams | undefined> {
  const body = await request.readBody(MAX_FORM_BYTES)
  return body === undefined ? undefined : new URLSearchParams(body)
}

/**
 * Null means the whole page, undefined that some components were wanted but none was chosen. Components that are not on
 * the page are ignored.
 */
export function chosenOf(
  form: URLSearchParams,
  components: readonly Pick<ChoosableComponent, 'uuid'>[],
): string[] | null | undefined {
  const scope = form.get('scope')
  if (scope === 'all') return null
  const sent = new Set(form.getAll('component').map((id) => fromPublicId('cmp', id)))
  const chosen = components.filter(({ uuid }) => sent.has(uuid)).map(({ uuid }) => uuid)
  if (chosen.length > 0) return chosen
  return scope === 'some' ? undefined : null
}

/**
 * Whether another site's page made the visitor's browser send this. Nothing here depends on the browser's identity, so
 * such a request could do no more than that site's own server. There is just no legitimate reason for it.
 */
export function isCrossOrigin({ headers, host }: WebRequest): boolean {
  const site = textOf(headers['sec-fetch-site'])
  if (site !== '') return site !== 'same-origin' && site !== 'none'
  const origin = textOf(headers['origin'])
  return origin !== '' && URL.parse(origin)?.hostname !== host
}
