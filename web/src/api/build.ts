// Whether the server has another build of the dashboard than this tab: after an upgrade, its scripts are gone from the server.
import { buildOf } from '../../../src/domain/values/dashboard-build.ts'

const script = document.querySelector<HTMLScriptElement>('script[type=module]')
// Undefined while developing.
const own = buildOf(script?.src ?? '')
let served = own

export function noteBuild(build: string | null): void {
  if (build !== null) served = build
}

export const isOutdated = (): boolean => own !== undefined && served !== own
