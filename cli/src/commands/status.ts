import { isApiError, type Upvane } from '@upvane/sdk'
import { explainError, openClient } from '../api/client.ts'
import { CommandError, defineCommand } from '../command.ts'
import { type Snapshot, toFrame, toStatusLines } from '../status/frame.ts'
import { enterScreen } from '../status/screen.ts'
import { type Watched, watch } from '../status/watch.ts'
import { availableColumns } from '../terminal/output.ts'
import { paint, print, toSafeJson } from '../terminal/text.ts'
import { untilStopped } from '../until-stopped.ts'
import { readDuration } from './option-values.ts'

const MAX_DEGRADED = 20
const READ_TIMEOUT_MS = 10_000
const REDRAW_MS = 1000
const FALLBACK_ROWS = 24
// With these, waiting does not help.
const FINAL = ['unauthorized', 'forbidden', 'not_found']

export const status = defineCommand({
  name: 'status',
  summary: 'show monitors by state, open incidents and maintenance',
  options: {
    watch: { text: 'keep showing it until Ctrl-C' },
    every: { value: 'DURATION', text: 'with --watch: how often to read it (5s)' },
  },
  usesApi: true,
  printsJson: true,
  notes: ['With --watch and --json it prints one line whenever it has read the status.'],
  async run(call) {
    const { watch: wantsWatch, every = '5s', json = false } = call.options
    const seconds = readDuration('every', every, ['2s', '1h'])
    if (wantsWatch && !json && !isTerminal(call.env['TERM']))
      throw new CommandError(2, '--watch needs a terminal. Add --json for a program.')
    const upvane = await openClient(call)
    if (!wantsWatch) return printOnce(await readSnapshot(upvane), json)
    await watchUntilStopped(upvane, seconds * 1000, json)
  },
})

function isTerminal(term: string | undefined): boolean {
  return process.stdout.isTTY && term !== 'dumb'
}

async function readSnapshot(upvane: Upvane, stopped?: AbortSignal): Promise<Snapshot> {
  const timeout = AbortSignal.timeout(READ_TIMEOUT_MS)
  const options = stopped && { signal: AbortSignal.any([stopped, timeout]), maxRetries: 0 }
  const overview = await upvane.ext.organization.overview(options)
  const list = upvane.monitors.list({ state: 'DEGRADED' }, options)
  const slow = overview.monitors.DEGRADED > 0 ? (await list.page({ limit: MAX_DEGRADED })).data : []
  return { overview, degraded: slow.map(({ name }) => name), readAt: new Date() }
}

function printOnce(snapshot: Snapshot, json: boolean): void {
  if (json) return print(toSafeJson(toJson({ snapshot, connection: null })))
  const size = { columns: availableColumns(), rows: Number.POSITIVE_INFINITY }
  for (const line of toStatusLines(snapshot, { ...size, now: new Date(), paint })) print(line)
}

/** The same in one reading and in each line of `--watch`. */
function toJson({ snapshot, connection }: Watched) {
  return {
    connected: connection === null,
    error: connection?.reason ?? null,
    readAt: snapshot?.readAt ?? null,
    overview: snapshot?.overview ?? null,
    degraded: snapshot?.degraded ?? [],
  }
}

async function watchUntilStopped(upvane: Upvane, everyMs: number, json: boolean): Promise<void> {
  const ending = new AbortController()
  const { signal } = ending
  const stopped = untilStopped().finally(() => ending.abort())
  const show = json ? lineWriter() : screenWriter()
  try {
    const read = (ended: AbortSignal): Promise<Snapshot> => readSnapshot(upvane, ended)
    await Promise.all([watch({ read, explain, everyMs, signal, report: show.report }), stopped])
  } finally {
    show.end()
  }
}

function explain(error: unknown): string {
  if (FINAL.some((code) => isApiError(error, code))) throw error
  if (error instanceof DOMException) return 'the service did not respond in time.'
  const explained = explainError(error)
  if (explained === undefined) throw error
  return explained
}

type Writer = { report(watched: Watched): void; end(): void }

function lineWriter(): Writer {
  return {
    report: (watched) => print(toSafeJson(toJson(watched), 'compact')),
    end: () => undefined,
  }
}

function screenWriter(): Writer {
  const screen = enterScreen(process.stdout)
  let latest: Watched = { snapshot: null, connection: null }
  const draw = (): void => {
    const { columns = 80, rows = FALLBACK_ROWS } = process.stdout
    screen.draw(
      toFrame(latest.snapshot, latest.connection, { columns, rows, now: new Date(), paint }),
    )
  }
  const resize = (): void => {
    screen.forget()
    draw()
  }
  // Ages grow between two readings.
  const timer = setInterval(draw, REDRAW_MS)
  process.stdout.on('resize', resize)
  draw()
  return {
    report(watched) {
      latest = watched
      draw()
    },
    end() {
      clearInterval(timer)
      process.stdout.off('resize', resize)
      screen.leave()
    },
  }
}
