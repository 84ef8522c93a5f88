export type IndexedSection = [title: string, anchor: string, text: string]
/** `title` and `summary` are those of the contents; `weight` below 1 for what a reader rarely looks for. */
export type IndexedPage = {
  url: string
  title: string
  summary: string
  weight: number
  sections: IndexedSection[]
}

type Prepared = { entries: readonly unknown[] }
type Found = { page: IndexedPage; sections: IndexedSection[]; stems: string[] }

export function prepare(pages: readonly IndexedPage[]): Prepared
export function search(prepared: Prepared, query: string): Found[]
export function excerpt(
  text: string,
  stems: readonly string[],
  length: number,
): [piece: string, isHit: boolean][]
