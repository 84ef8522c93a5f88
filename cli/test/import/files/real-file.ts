// A file in the shape of each tool and version, with all the fields that the tool writes and one of every kind of item.
// Whatever begins with "planted" is a secret.

export type RealFile = {
  tool: string
  version: string
  name: string
  text: string
  /** Mapped, changed and not taken, for each kind. */
  counts: Readonly<Record<string, readonly [mapped: number, changed: number, notTaken: number]>>
}

export const toJson = (value: unknown): string => JSON.stringify(value, null, 2)
