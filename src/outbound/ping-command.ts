// Echo requests through the system's ping command, for kernels that do not permit ICMP sockets.
import { execFile } from 'node:child_process'
import { OutboundError } from './outbound-error.ts'

export type PingPlan = { count: number; gapMs: number; budgetMs: number; signal: AbortSignal }

const MAX_OUTPUT_BYTES = 64 * 1024

export async function pingByCommand(
  address: string,
  { count, gapMs, budgetMs, signal }: PingPlan,
): Promise<number[]> {
  const waitSeconds = String(Math.max(1, Math.ceil(budgetMs / 1000)))
  const times = ['-c', String(count), '-i', String(gapMs / 1000), '-W', waitSeconds]
  const { stdout, stderr, code } = await run(['-n', ...times, '--', address], signal)
  const replies = [...stdout.matchAll(/time[=<]([\d.]+) ms/g)].map((match) => Number(match[1]))
  if (replies.length > 0 || signal.aborted || stdout.includes('packets transmitted')) return replies
  if (/unreachable/i.test(stderr)) throw new OutboundError('UNREACHABLE', 'ENETUNREACH')
  throw new OutboundError('NO_PING', `ping ended with ${code}`)
}

type Output = { stdout: string; stderr: string; code: string }

function run(args: string[], signal: AbortSignal): Promise<Output> {
  const options = { signal, maxBuffer: MAX_OUTPUT_BYTES, env: { ...process.env, LC_ALL: 'C' } }
  return new Promise((resolve) => {
    execFile('ping', args, options, (error, stdout, stderr) =>
      resolve({ stdout, stderr, code: String(error?.code ?? 0) }),
    )
  })
}
