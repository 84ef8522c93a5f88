// DNS queries for monitors. They connect to nothing, so the names themselves are guarded: organizations without private
// targets must learn nothing about the network this process runs in.
import type { DnsRecordType } from '../domain/monitors/monitor.ts'
import type { Guard } from './connect.ts'
import { normalizeHost } from './host.ts'
import { throughNat64 } from './nat64.ts'
import { OutboundError } from './outbound-error.ts'
import { isPublic } from './permit.ts'

// Names that are only meaningful within a network (RFC 6761, 6762, 8375, and those used by routers and companies).
const INTERNAL = new Set([
  'corp',
  'home',
  'internal',
  'intranet',
  'lan',
  'local',
  'localdomain',
  'localhost',
  'private',
])

export async function queryRecords(
  { names, publicNamesOnly = false, nat64 = [] }: Guard,
  name: string,
  type: DnsRecordType,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const host = normalizeHost(name)
  if (!publicNamesOnly) return names.query(host, type, signal)
  if (isInternalName(host)) throw new OutboundError('NOT_ALLOWED')
  const records = await names.queryServers(host, type, signal)
  const isAddress = type === 'A' || type === 'AAAA'
  const isSeen = (record: string) => !isAddress || isPublic(throughNat64(record, nat64))
  const hidden = records.find((record) => !isSeen(record))
  if (hidden !== undefined) throw new OutboundError('NOT_ALLOWED', 'NOT_ALLOWED', hidden)
  return records
}

/** A single label is completed by the hosts file or a search domain, or is a name of this network. */
function isInternalName(host: string): boolean {
  const labels = host.split('.')
  return (
    labels.length === 1 || INTERNAL.has(labels.at(-1) ?? '') || /(?:^|\.)home\.arpa$/.test(host)
  )
}
