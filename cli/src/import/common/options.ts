// What the person who imports decides.

export type MapOptions = {
  now: Date
  /** Of the other tool, where its export does not say. */
  timezone: string
  /** Take a PORT monitor for what Upvane cannot speak. */
  nearest: boolean
}
