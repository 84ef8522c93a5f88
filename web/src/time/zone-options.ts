import { currentZoneName, zoneLabel } from './zone-names.ts'

const UTC = 'UTC'

/** The value of "none chosen" in a select of zones. */
export const AUTOMATIC = ''

/** `automatic` says which zone it is if none is chosen. */
export const zoneChoices = (zone: string | null, automatic: string) => [
  { value: AUTOMATIC, label: automatic },
  ...zoneOptions(zone),
]

/** Every time zone the browser knows, by city. `zone` comes first and may be one it does not know. */
export function zoneOptions(zone: string | null): { value: string; label: string }[] {
  const known = new Set(Intl.supportedValuesOf('timeZone').map(currentZoneName))
  if (zone !== null) known.delete(currentZoneName(zone))
  const byCity = [...known].map(toOption).toSorted((a, b) => a.label.localeCompare(b.label, 'en'))
  const first = zone === null || zone === UTC ? [UTC] : [zone, UTC]
  return [...first.map(toOption), ...byCity.filter(({ value }) => value !== UTC)]
}

const toOption = (value: string) => ({ value, label: zoneLabel(value) })
