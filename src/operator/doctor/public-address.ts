// Whether people who open BASE_URL reach this installation, and whether it knows who they are.
import { randomBytes } from 'node:crypto'
import {
  type DoctorFinding,
  judgeBaseUrl,
  ok,
  type PublicResponse,
  warn,
} from '../../domain/operating/doctor.ts'
import { createOperatorOutbound } from '../../outbound/create-outbound.ts'
import { getText } from '../../outbound/get-text.ts'
import { OutboundError } from '../../outbound/outbound-error.ts'
import type { Config } from '../../platform/config/config.ts'
import { INSTALLATION_PATH, isOwnProof } from '../../platform/crypto/installation-proof.ts'

const USER_AGENT = 'Upvane/1 (doctor)'
const CHALLENGE_BYTES = 16
const WITHIN_MS = 4_500

export async function checkBaseUrl(config: Config): Promise<DoctorFinding[]> {
  return [judgeBaseUrl(await readBaseUrl(config))]
}

async function readBaseUrl({
  baseUrl,
  masterKeys,
  probeDnsServers: dnsServers,
}: Config): Promise<PublicResponse> {
  const challenge = randomBytes(CHALLENGE_BYTES).toString('hex')
  const url = new URL(`${INSTALLATION_PATH}?challenge=${challenge}`, baseUrl)
  const { guard } = createOperatorOutbound({ dnsServers, userAgent: USER_AGENT })
  try {
    const { status, text } = await getText(guard, url, WITHIN_MS)
    return { status, isOwn: isOwnProof(masterKeys, challenge, proofIn(text)) }
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    return { problem: error.detail }
  }
}

function proofIn(text: string): string {
  try {
    const { proof } = JSON.parse(text) as { proof?: unknown }
    return typeof proof === 'string' ? proof : ''
  } catch {
    return ''
  }
}

export function checkProxies({ baseUrl, trustedProxies }: Config): DoctorFinding[] {
  if (!baseUrl.startsWith('https:')) return [ok('none needed: BASE_URL is not https')]
  if (trustedProxies.length > 0) return [ok(`trusted: ${trustedProxies.join(', ')}`)]
  return [
    warn(
      "BASE_URL is https, so a proxy is in front, but TRUSTED_PROXIES is empty: all visitors have the proxy's address and share its limits. Set it to the address of the proxy, such as 127.0.0.1 on this machine.",
    ),
  ]
}
