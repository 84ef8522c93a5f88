// Inspects and signals other processes, through Linux's /proc or, without it, ps.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const POLL_MS = 10
const HAS_PROC = existsSync('/proc/self/stat')

export function isRunning(pid: number): boolean {
  const stat = findStat(pid)
  if (stat === undefined) return false
  // A zombie has exited and only waits for its parent, unless its threads still hold sockets.
  return (stat.state !== 'Z' && stat.state !== 'X') || stat.threads > 1
}

export function findChildren(parentPid: number): number[] {
  if (!HAS_PROC)
    return listByPs()
      .filter((one) => one.parentPid === parentPid)
      .map(({ pid }) => pid)
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && findStat(pid)?.parentPid === parentPid)
}

export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    // Exited in the meantime, which is what most callers want anyway.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

/** True if all exited in time. */
export async function waitUntilGone(pids: number[], timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs
  while (pids.some(isRunning)) {
    if (performance.now() > deadline) return false
    await sleep(POLL_MS)
  }
  return true
}

type Stat = { state: string; parentPid: number; threads: number }

function findStat(pid: number): Stat | undefined {
  if (!HAS_PROC) return listByPs(pid)[0]
  let text: string
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    // Exited between listing and reading.
    return undefined
  }
  // The name in parentheses may contain spaces and parentheses.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return { state: fields[0] ?? '', parentPid: Number(fields[1]), threads: Number(fields[17]) }
}

/** One process, or all. */
function listByPs(pid?: number): (Stat & { pid: number })[] {
  const which = pid === undefined ? ['-A'] : ['-p', String(pid)]
  const { stdout } = spawnSync('ps', [...which, '-o', 'pid=,ppid=,state='], { encoding: 'utf8' })
  return stdout.split('\n').flatMap((line) => {
    const [id, parent, state = ''] = line.trim().split(' ').filter(Boolean)
    return id === undefined
      ? []
      : [{ pid: Number(id), parentPid: Number(parent), state: state.slice(0, 1), threads: 1 }]
  })
}
