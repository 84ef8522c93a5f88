// The incident causes people read. They never contain bytes of a response body.

const LONGEST = 500
const FEWEST_FOR_RANGE = 3

export const noResponse = (budgetMs: number): string => `Timed out after ${budgetMs / 1000} s`

export const unexpectedStatus = (status: number, expected: readonly number[]): string =>
  `HTTP ${status}, expected ${toRanges(expected)}`

export const keywordMissing = (keyword: string): string => short(`Keyword "${keyword}" not found`)

export const keywordPresent = (keyword: string): string => short(`Keyword "${keyword}" found`)

export const dnsMismatch = (type: string, answers: readonly string[], expected: string[]): string =>
  `DNS ${type} is ${short(answers.join(', '))}, expected ${short(expected.join(', '))}`

export const noRecords = (type: string, detail: string): string =>
  detail === 'ENOTFOUND' ? `No ${type} records: the name does not exist` : `No ${type} records`

export const domainExpired = (domain: string, expiresAt: Date): string =>
  `Domain ${domain} expired on ${expiresAt.toISOString().slice(0, 10)}`

export const domainNotRegistered = (domain: string): string => `Domain ${domain} is not registered`

/** `[301, 200, 201, 202]` -> `200-202, 301`. */
export function toRanges(statuses: readonly number[]): string {
  const sorted = [...new Set(statuses)].toSorted((a, b) => a - b)
  const runs: number[][] = []
  for (const status of sorted) {
    const run = runs.at(-1)
    if (run?.at(-1) === status - 1) run.push(status)
    else runs.push([status])
  }
  return runs
    .map((run) => (run.length < FEWEST_FOR_RANGE ? run.join(', ') : `${run[0]}-${run.at(-1)}`))
    .join(', ')
}

function short(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1)}…`
}
