/** A mistake in a log line must not turn a success into a failure. */
export function callHook<Info>(hook: ((info: Info) => void) | undefined, info: Info): void {
  try {
    hook?.(info)
  } catch {}
}
