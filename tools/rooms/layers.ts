// The rooms of rooms.json as layers: a room stands above everything that it may import.

export type Rooms = Readonly<Record<string, { rooms: readonly string[] }>>

/** From the rooms that import nothing to those that connect everything, each layer in the order of the file. */
export function layersOf(rooms: Rooms): string[][] {
  const levels = new Map<string, number>()
  const levelOf = (name: string): number => {
    const known = levels.get(name)
    if (known !== undefined) return known
    const level = 1 + Math.max(-1, ...importsOf(rooms, name).map(levelOf))
    levels.set(name, level)
    return level
  }
  const layers: string[][] = []
  for (const name of Object.keys(rooms)) {
    const level = levelOf(name)
    layers[level] = [...(layers[level] ?? []), name]
  }
  return layers
}

/** The imports that do not follow from others: an arrow for every import would hide the picture. */
export function arrowsOf(rooms: Rooms): [from: string, to: string][] {
  return Object.keys(rooms).flatMap((from) => {
    const direct = importsOf(rooms, from)
    return direct
      .filter((to) => !direct.some((via) => via !== to && reaches(rooms, via, to)))
      .map((to): [string, string] => [from, to])
  })
}

function reaches(rooms: Rooms, from: string, to: string): boolean {
  return importsOf(rooms, from).some((next) => next === to || reaches(rooms, next, to))
}

const importsOf = (rooms: Rooms, name: string): readonly string[] => rooms[name]?.rooms ?? []
