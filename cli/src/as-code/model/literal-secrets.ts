import type { FileResource } from '../file/configuration.ts'
import { isObject } from './json.ts'
import { secretSettings } from './wanted.ts'

/** Settings of contacts that nobody may read, but that are written in the file itself: `contacts.ops.settings.url`. */
export function literalSecrets(resources: readonly FileResource[]): string[] {
  return resources.flatMap(({ kind, address, fields, hidden }) => {
    const { settings, channel } = fields
    if (kind !== 'contacts' || !isObject(settings)) return []
    const secret = secretSettings(String(channel))
    return Object.keys(settings)
      .filter((name) => secret.has(name) && !hidden.has(`settings.${name}`))
      .map((name) => `${address}.settings.${name}`)
  })
}
