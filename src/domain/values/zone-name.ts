// Names of time zones. Each language names the zones of its own countries and uses offsets for the rest.

const ZONE_TAGS = ['en-US', 'en-GB', 'en-AU', 'en-IN', 'en-ZA', 'ja']
const NUMBERED_ZONE = /^(?:GMT|UTC)[+\-−]/

/** `CET` if any language has a name for the zone, otherwise `GMT+3`. The reader's own language comes first. */
export function zoneNames(tag: string, timeZone: string): (at: Date) => string {
  const own = zoneFormat(tag, timeZone)
  let others: Intl.DateTimeFormat[] | undefined
  return (at) => {
    const name = nameOf(own, at) ?? timeZone
    if (!NUMBERED_ZONE.test(name)) return name
    // Only now: most zones have a name, and these are slow to create.
    others ??= ZONE_TAGS.map((other) => zoneFormat(other, timeZone))
    const names = others.map((format) => nameOf(format, at))
    return names.find((other) => other !== undefined && !NUMBERED_ZONE.test(other)) ?? name
  }
}

const zoneFormat = (tag: string, timeZone: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat(tag, { timeZone, timeZoneName: 'short' })

const nameOf = (format: Intl.DateTimeFormat, at: Date): string | undefined =>
  format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value
