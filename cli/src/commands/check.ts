import type { CheckEvidence, Ext } from '@upvane/sdk'
import { openClient } from '../api/client.ts'
import { CommandError, defineCommand, type Values } from '../command.ts'
import { formatMs, formatTime, toStateCell } from '../terminal/format.ts'
import { type Details, printDetails } from '../terminal/output.ts'
import { ADDRESS, readTarget, TARGET_OPTIONS } from './target-options.ts'

const OPTIONS = {
  ...TARGET_OPTIONS,
  region: { value: 'REGION', text: 'check from this region instead of the home region' },
} as const

export const check = defineCommand({
  name: 'check',
  summary: 'check an address from the service, without saving it',
  arguments: [ADDRESS],
  options: OPTIONS,
  usesApi: true,
  printsJson: true,
  notes: [
    'It ends with 1 if the check fails. The key must be able to write. At most 10 checks a minute.',
  ],
  examples: ['upv check https://shop.example.com/health', 'upv check tcp://mail.example.com:25'],
  async run(call) {
    const [address = ''] = call.args
    const body = toCheckInput(address, call.options)
    const upvane = await openClient(call)
    const checked = await upvane.ext.checks.run(body)
    printDetails(checked, detailsOf(checked), call.options.json)
    if (checked.result === 'FAILED') throw new CommandError(1, 'the check failed.')
    if (checked.result === 'INCONCLUSIVE') throw new CommandError(1, 'the check could not be run.')
  },
})

/** The body of the request: settings of a monitor without a name. */
export function toCheckInput(address: string, options: Values<typeof OPTIONS>) {
  const { region } = options
  return { ...readTarget(address, options), ...(region && { region }) }
}

function detailsOf({ result, region, check: seen }: Ext.CheckResult): Details {
  return [
    ['Result', toStateCell(result)],
    ['Cause', seen.cause],
    ['Region', region],
    ['HTTP status', seen.httpStatus === null ? null : String(seen.httpStatus)],
    ['Response', formatMs(seen.responseMs)],
    ['Time spent', timingsOf(seen)],
    ['Address', seen.resolvedIp],
    ['DNS', seen.dnsAnswers && seen.dnsAnswers.join(', ')],
    ['Certificate', seen.certExpiresAt && `expires ${formatTime(seen.certExpiresAt)}`],
    ['Attempts', seen.attempts.length > 1 ? String(seen.attempts.length) : null],
  ]
}

function timingsOf({ timings }: CheckEvidence): string | null {
  if (timings === null) return null
  const { dnsMs, connectMs, tlsMs, firstByteMs } = timings
  const parts: [name: string, ms: number | null][] = [
    ['DNS', dnsMs],
    ['connect', connectMs],
    ['TLS', tlsMs],
    ['wait', firstByteMs],
  ]
  const given = parts.flatMap(([name, ms]) => (ms === null ? [] : [`${name} ${ms} ms`]))
  return given.length > 0 ? given.join(', ') : null
}
