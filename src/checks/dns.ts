import { isIPv6 } from 'node:net'
import type { MonitorSettings } from '../domain/monitors/monitor.ts'
import { OutboundError } from '../outbound/outbound-error.ts'
import { dnsMismatch, noRecords } from './cause-text.ts'
import { type Check, type CheckContext, failed } from './check.ts'
import { parseHostPort } from './host-port.ts'

type DnsTarget = Pick<MonitorSettings, 'dnsRecordType' | 'dnsExpected' | 'timeoutSeconds'> & {
  type: 'DNS'
  url: string
}

const MAX_ANSWERS = 100

/** DNS passes if the name has records of the type and they include every expected value. */
export const dnsCheck: Check<DnsTarget> = {
  toTarget: ({ url, dnsRecordType, dnsExpected, timeoutSeconds }) => ({
    type: 'DNS',
    url: url ?? '',
    dnsRecordType,
    dnsExpected,
    timeoutSeconds,
  }),

  async run(target, context) {
    const answers = await findRecords(target, context)
    if (!Array.isArray(answers)) return answers
    const evidence = { dnsAnswers: answers, responseMs: context.elapsedMs() }
    const expected = splitExpected(target)
    const found = new Set(answers.flatMap((answer) => spellings(answer, target)))
    const isFound = (value: string) => found.has(comparable(value, target))
    if (expected.every(isFound)) return { outcome: 'OK', ...evidence }
    return failed('DNS_MISMATCH', dnsMismatch(target.dnsRecordType, answers, expected), evidence)
  },
}

async function findRecords({ url, dnsRecordType }: DnsTarget, { query }: CheckContext) {
  try {
    const records = await query(parseHostPort(url).host, dnsRecordType)
    return records
      .slice(0, MAX_ANSWERS)
      .map((record) => record.replaceAll('\0', '\uFFFD').toWellFormed())
  } catch (error) {
    // The resolver answered that there is no such record.
    if (error instanceof OutboundError && error.code === 'NAME_NOT_FOUND')
      return failed('DNS_NO_RECORDS', noRecords(dnsRecordType, error.detail))
    throw error
  }
}

/** A TXT value may contain commas; for all other types, commas separate values. */
function splitExpected({ dnsExpected, dnsRecordType }: DnsTarget): string[] {
  return (dnsExpected ?? '')
    .split(dnsRecordType === 'TXT' ? /\n/ : /[,\n]/)
    .map((value) => value.trim())
    .filter((value) => value !== '')
}

/** An MX record matches with or without its priority. */
function spellings(answer: string, target: DnsTarget): string[] {
  const whole = comparable(answer, target)
  if (target.dnsRecordType !== 'MX') return [whole]
  return [whole, comparable(answer.replace(/^\d+ /, ''), target)]
}

/** Normalizes equal values: texts are compared exactly, addresses as addresses, names case-insensitively. */
function comparable(value: string, { dnsRecordType }: DnsTarget): string {
  const text = value.trim()
  if (dnsRecordType === 'TXT') return text
  if (isIPv6(text)) return URL.parse(`http://[${text}]/`)?.hostname ?? text
  return text.replace(/\s+/g, ' ').replace(/\.$/, '').toLowerCase()
}
