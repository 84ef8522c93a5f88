import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The account a server runs under; undefined for the caller's own. */
export type Account = { uid: number; gid: number } | undefined

export type TemporaryDirectory = {
  path: string
  /** Stops every process that runs in the directory, then removes it. May be called twice. */
  close(): Promise<void>
}

/** A directory that never outlives this process, and neither do processes whose working directory it is. `pidFile`
 * is the file inside it where the server writes its pid. */
export function openTemporaryDirectory(
  prefix: string,
  pidFile: string,
  account?: Account,
): TemporaryDirectory {
  // The real path, as the servers see it: on macOS the temporary folder is a symlink.
  const path = realpathSync(mkdtempSync(join(tmpdir(), prefix)))
  if (account) chownSync(path, account.uid, account.gid)
  const watchdog = startWatchdog(path, join(path, pidFile), account)
  let closed: Promise<void> | undefined
  return {
    path,
    close() {
      closed ??= close(path, watchdog)
      return closed
    },
  }
}

// Passes the script's text instead of its file, because the server's account may not be able to read the project.
function startWatchdog(path: string, pidFile: string, account: Account): ChildProcess {
  const script = readFileSync(new URL('watchdog.sh', import.meta.url), 'utf8')
  const watchdog = spawn('/bin/sh', ['-c', script, 'watchdog', path, pidFile], {
    ...account,
    cwd: '/',
    // Its own session, so Ctrl-C in a terminal reaches only the parent.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  watchdog.unref()
  return watchdog
}

async function close(path: string, watchdog: ChildProcess): Promise<void> {
  if (watchdog.exitCode === null && watchdog.signalCode === null) {
    const exited = once(watchdog, 'exit')
    watchdog.ref()
    watchdog.stdin?.end()
    await exited
  }
  // The server's account may be able to empty the directory but not remove it.
  if (existsSync(path)) rmSync(path, { recursive: true, force: true })
}
