// `upvane ready`: whether the process on this machine serves, and optionally waits until it does.
import { setTimeout as sleep } from 'node:timers/promises'
import { listSettings } from '../platform/config/config.ts'
import { askReadiness, type Readiness } from '../platform/own-readiness.ts'
import type { Command, CommandContext } from './cli/command.ts'
import { UsageError } from './cli/flags.ts'

const MAX_WAIT_SECONDS = 3600
const POLL_MS = 250

export const READY: Command = {
  name: 'ready',
  summary: 'say whether the process on this machine is ready, as /readyz does',
  options: {
    wait: { value: 'SECONDS', text: 'until it is ready, at most so long; default is 0' },
    pid: { value: 'PID', text: 'of that process: no longer wait once it has ended' },
  },
  manual: [
    'Reads INTERNAL_HOST and INTERNAL_PORT. Exits with 0 if the process is ready, otherwise with 1.',
    'The units run it after the start, so that systemctl start returns when the service is ready.',
  ],
  examples: ['upvane ready', 'upvane ready --wait 60'],
  changes: false,
  // With a wrong configuration the process ends, and this one waits for that.
  reportsFileProblems: true,
  run: (context) => waitUntilReady(context),
  format: ({ ready, reasons }: Readiness) =>
    ready ? 'ready' : `not ready: ${reasons.join('; ') || 'no reason given'}`,
  exitCode: ({ ready }: Readiness) => (ready ? 0 : 1),
}

async function waitUntilReady({ flags, environment }: CommandContext): Promise<Readiness> {
  const settings = new Map(listSettings(environment).map(({ name, value }) => [name, value]))
  const host = settings.get('INTERNAL_HOST') ?? ''
  const port = Number(settings.get('INTERNAL_PORT'))
  const pid = wholeNumber(flags['pid'], 'pid')
  const until =
    Date.now() + Math.min(wholeNumber(flags['wait'], 'wait') ?? 0, MAX_WAIT_SECONDS) * 1000
  for (;;) {
    const found = await askReadiness(host, port)
    if (found.ready || Date.now() >= until) return found
    if (pid !== undefined && !isRunning(pid))
      return { ready: false, reasons: [`process ${pid} has ended`] }
    await sleep(POLL_MS)
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // Another account's process exists, but may not be signaled.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

function wholeNumber(value: string | boolean | undefined, name: string): number | undefined {
  if (value === undefined) return undefined
  if (typeof value !== 'string' || !/^[1-9]\d{0,8}$/.test(value))
    throw new UsageError(`--${name} must be a whole number.`)
  return Number(value)
}
