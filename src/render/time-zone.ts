// Names of time zones. Each language names the zones of its own countries and uses offsets for the rest.

const ZONE_TAGS = ['en-GB', 'en-US', 'en-AU', 'en-IN', 'en-ZA', 'ja']
const NUMBERED_ZONE = /^(?:GMT|UTC)[+\-−]/

/** English dates use the order that most readers outside the US use. */
export const toDateTag = (locale: string): string => (locale === 'en' ? 'en-GB' : locale)

/** `CET` if any language has a name for the zone, otherwise `GMT+3`. The reader's own language comes first. */
export function zoneNames(tag: string, timeZone: string): (at: Date) => string {
  const own = zoneFormat(tag, timeZone)
  const better = betterZoneNames(timeZone)
  return (at) => better(nameOf(own, at) ?? timeZone, at)
}

/** Replaces a name such as `GMT+1` by `CET`, if any language has a name for the zone. */
export function betterZoneNames(timeZone: string): (name: string, at: Date) => string {
  let formats: Intl.DateTimeFormat[] | undefined
  return (name, at) => {
    if (!NUMBERED_ZONE.test(name)) return name
    // Only now: most zones have a name, and these are slow to create.
    formats ??= ZONE_TAGS.map((tag) => zoneFormat(tag, timeZone))
    const names = formats.map((format) => nameOf(format, at))
    return names.find((other) => other !== undefined && !NUMBERED_ZONE.test(other)) ?? name
  }
}

const zoneFormat = (tag: string, timeZone: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat(tag, { timeZone, timeZoneName: 'short' })

const nameOf = (format: Intl.DateTimeFormat, at: Date): string | undefined =>
  format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value
