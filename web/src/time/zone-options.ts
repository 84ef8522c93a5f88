/** The value of "none chosen" in a select of zones. */
export const AUTOMATIC = ''

/** `automatic` says which zone it is if none is chosen. */
export const zoneChoices = (zone: string | null, automatic: string) => [
  { value: AUTOMATIC, label: automatic },
  ...zoneOptions(zone),
]

/** Every time zone the browser knows, as options of a select. `zone` comes first and may be one it does not know. */
export function zoneOptions(zone: string | null): { value: string; label: string }[] {
  const known = ['UTC', ...Intl.supportedValuesOf('timeZone')]
  const zones = new Set(zone === null ? known : [zone, ...known])
  return [...zones].map((value) => ({ value, label: value }))
}
