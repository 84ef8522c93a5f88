// A maintenance window that lasts as long as somebody extends it. If this process is killed, the window ends by itself:
// it was created with an end, and only this process moves the end on.
import { type CallOptions, isApiError, type MaintenanceWindow, type Upvane } from '@upvane/sdk'
import { explainError } from '../api/client.ts'
import { type Clock, endWindow, justPassed } from '../api/window-times.ts'

type LeaseInput = {
  name: string
  monitorIds: string[]
  showOnStatusPages: boolean
  /** How long the window outlives this process. */
  seconds: number
}

export type Lease = {
  /** Of the window that is open now. */
  windowId: () => string
  /** Ends the window. Throws if the service could not be reached. */
  close(): Promise<void>
}

type Context = { upvane: Upvane; clock: Clock; input: LeaseInput; report: (text: string) => void }

const CLOSE_RETRIES = 4

export async function openLease(context: Context): Promise<Lease> {
  let window = await open(context)
  let inFlight: Promise<void> = Promise.resolve()
  let isBusy = false
  const everyMs = (context.input.seconds * 1000) / 3
  const extendOnce = async (): Promise<void> => {
    isBusy = true
    window = await extend(context, window, { timeoutMs: everyMs, maxRetries: 0 })
    isBusy = false
  }
  const timer = setInterval(() => {
    if (!isBusy) inFlight = extendOnce()
  }, everyMs)
  return {
    windowId: () => window.id,
    async close() {
      clearInterval(timer)
      // An extension that arrives late would open it again.
      await inFlight
      await close(context, window.id)
    },
  }
}

function open({ upvane, clock, input }: Context): Promise<MaintenanceWindow> {
  const { seconds, ...fields } = input
  return upvane.maintenanceWindows.create({
    ...fields,
    startsAt: justPassed(clock),
    endsAt: after(clock, seconds),
  })
}

/** Returns the window that is open then: a new one if this one has ended in the meantime. Never throws. */
async function extend(
  context: Context,
  window: MaintenanceWindow,
  options: CallOptions,
): Promise<MaintenanceWindow> {
  const { upvane, clock, input, report } = context
  try {
    const endsAt = after(clock, input.seconds)
    return await upvane.maintenanceWindows.update(window.id, { endsAt }, options)
  } catch (error) {
    if (isGone(error)) return reopen(context, window)
    report(`the window could not be extended: ${explain(error)} It ends at ${window.endsAt}.`)
    return window
  }
}

async function reopen(context: Context, ended: MaintenanceWindow): Promise<MaintenanceWindow> {
  try {
    const window = await open(context)
    context.report(`the window had ended. ${window.id} replaces it.`)
    return window
  } catch (error) {
    context.report(`the window has ended, and a new one could not be opened: ${explain(error)}`)
    return ended
  }
}

async function close({ upvane, clock }: Context, id: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await endWindow(upvane, id, clock)
      return
    } catch (error) {
      if (isGone(error)) return
      if (attempt > CLOSE_RETRIES) throw error
    }
  }
}

// Over, or deleted by somebody.
function isGone(error: unknown): boolean {
  return isApiError(error, 'conflict') || isApiError(error, 'not_found')
}

function after(clock: Clock, seconds: number): Date {
  return new Date(clock().getTime() + seconds * 1000)
}

function explain(error: unknown): string {
  return explainError(error) ?? String(error)
}
