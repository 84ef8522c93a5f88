// Which packages were added, removed or changed since an earlier release, for people who review an upgrade.
type Component = { 'bom-ref': string; name: string; version: string }
type Sbom = { components: readonly Component[] }

/** Markdown: a line for each package, or a sentence if there are none. */
export function describeChanges(before: string, now: string): string {
  const [old, current] = [versionsOf(before), versionsOf(now)]
  const names = [...new Set([...old.keys(), ...current.keys()])].toSorted()
  const lines = names.flatMap((name) => {
    const [was, is] = [old.get(name), current.get(name)]
    if (was === is) return []
    if (was === undefined) return [`- added ${name} ${is}`]
    if (is === undefined) return [`- removed ${name} ${was}`]
    return [`- ${name} ${was} -> ${is}`]
  })
  return `${lines.length === 0 ? 'The packages are the same.' : lines.join('\n')}\n`
}

/** A package can be installed in several versions. */
function versionsOf(sbom: string): Map<string, string> {
  const { components } = JSON.parse(sbom) as Sbom
  const byName = Map.groupBy(components, ({ name }) => name)
  return new Map(
    [...byName].map(([name, all]) => [
      name,
      [...new Set(all.map(({ version }) => version))].toSorted().join(', '),
    ]),
  )
}
