// An error as the log shows it. Libraries attach connections, requests and rows to their errors, with passwords and
// other people's data, so only named fields are kept.

const MAX_STACK_LINES = 12
const MAX_TEXT = 2000
const MAX_CAUSES = 2
const FIELDS = [
  'code',
  'errno',
  'syscall',
  'address',
  'port',
  'severity',
  'constraint',
  'table',
] as const

// The server or the network is away. Every statement fails then, and where in our code it was says nothing.
const WITHOUT_STACK: ReadonlySet<unknown> = new Set([
  '53300',
  '57P01',
  '57P02',
  '57P03',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
])

type LoggedError = { type: string; message: string; stack?: string } & {
  [Field in (typeof FIELDS)[number]]?: string | number
} & { cause?: LoggedError }

export function toLoggedError(error: unknown, causes = 0): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: cut(String(error)) }
  const logged: LoggedError = { type: error.name, message: cut(error.message) }
  const { code } = error as { code?: unknown }
  if (error.stack !== undefined && !WITHOUT_STACK.has(code))
    logged.stack = cut(error.stack.split('\n', MAX_STACK_LINES).join('\n'))
  for (const field of FIELDS) {
    const value = (error as { [Field in typeof field]?: unknown })[field]
    if (typeof value === 'string' || typeof value === 'number') logged[field] = value
  }
  if (error.cause !== undefined && causes < MAX_CAUSES)
    logged.cause = toLoggedError(error.cause, causes + 1)
  return logged
}

/** Identifies failures of the same kind. */
export function kindOfError(error: unknown): string {
  if (!(error instanceof Error)) return ''
  return `${error.name} ${(error as { code?: unknown }).code ?? error.message.slice(0, 80)}`
}

function cut(text: string): string {
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT)}…`
}
