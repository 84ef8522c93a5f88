// What a generated client answered, kept for the test that runs this program.
export type Call = { operation: string; status: number; body: unknown }

const calls: Call[] = []

type Result<T> = { data?: T | undefined; error?: unknown; response?: Response }

/** Remembers the answer and returns its body, which must be there. */
export function record<T>(operation: string, { data, error, response }: Result<T>): T {
  if (data === undefined || response === undefined)
    throw new Error(`${operation}: ${response?.status} ${JSON.stringify(error)}`)
  calls.push({ operation, status: response.status, body: data })
  return data
}

/** The last thing a program does. */
export const report = (): void => console.log(JSON.stringify(calls))

export async function until(isTrue: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    if (await isTrue()) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('It did not happen within 10 s')
}

export function setting(name: string): string {
  const value = process.env[name]
  if (value === undefined) throw new Error(`${name} is not set`)
  return value
}

export const inMinutes = (minutes: number): string =>
  new Date(Date.now() + minutes * 60_000).toISOString()
