// What a form sent, and whether it came from our own page.
import { fromPublicId } from '../../domain/values/id.ts'
import type { WebRequest } from '../../platform/web-exchange.ts'
import type { ChoosableComponent } from '../../store/status-pages/subscribers.ts'
import { textOf } from '../serving/responses.ts'

// 200 components and an address.
const MAX_FORM_BYTES = 16_384

/** Undefined when it is longer than any form of ours. */
export async function readForm(request: WebRequest): Promise<URLSearchParams | undefined> {
  const body = await request.readBody(MAX_FORM_BYTES)
  return body === undefined ? undefined : new URLSearchParams(body)
}

/** Null: no choice, the whole page. What is not on the page is passed over. */
export function chosenOf(
  form: URLSearchParams,
  components: readonly ChoosableComponent[],
): string[] | null {
  const sent = new Set(form.getAll('component').map((id) => fromPublicId('cmp', id)))
  const chosen = components.filter(({ uuid }) => sent.has(uuid)).map(({ uuid }) => uuid)
  return chosen.length === 0 ? null : chosen
}

/**
 * Another site's page made the reader's browser send this. Nothing here depends on who the browser is, so it could
 * do no more than its own server could; there is just no honest reason for it.
 */
export function isCrossOrigin({ headers, host }: WebRequest): boolean {
  const site = textOf(headers['sec-fetch-site'])
  if (site !== '') return site !== 'same-origin' && site !== 'none'
  const origin = textOf(headers['origin'])
  return origin !== '' && URL.parse(origin)?.hostname !== host
}
