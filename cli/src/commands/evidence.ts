import { readFile, stat, writeFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { openClient } from '../api/client.ts'
import { type Command, CommandError, defineCommand } from '../command.ts'
import { pinKey, readPinnedKeys } from '../evidence/pinned-keys.ts'
import {
  claimedInstallation,
  type EvidenceSummary,
  toPublicKey,
  verifyEvidence,
} from '../evidence/verify-evidence.ts'
import { formatTime } from '../terminal/format.ts'
import { type Details, printDetails } from '../terminal/output.ts'
import { clean, note, print } from '../terminal/text.ts'

const MAX_BYTES = 64 * 1024 * 1024

export const incidentEvidence = defineCommand({
  name: 'incidents evidence',
  summary: 'save an incident with its checks as a signed file',
  arguments: [{ name: 'incident', text: 'its id' }],
  options: { output: { value: 'FILE', text: 'where to save it', completion: 'file' } },
  usesApi: true,
  notes: ['Anyone can check the file with "upv verify", without access to the service.'],
  examples: ['upv incidents evidence inc_01m7e3k4y5e5fr0039rkamsgk4 --output outage.evidence'],
  async run(call) {
    const [id = ''] = call.args
    const upvane = await openClient(call)
    const { name, text, keyId } = await upvane.ext.incidents.evidenceFile(id)
    // The name comes from the service: only its last part counts.
    const path = call.options.output ?? (basename(name) || 'incident.upvane-evidence')
    await writeFile(path, text, { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') throw new CommandError(4, `${path} exists already.`)
      throw new CommandError(1, `${path} cannot be written (${error.code}).`)
    })
    print(`Saved ${clean(path)}, signed with key ${clean(keyId)}.`)
  },
})

const key = defineCommand({
  name: 'evidence-key',
  summary: "show the public key of the service's evidence files",
  options: { pin: { text: 'remember it, for "upv verify"' } },
  usesApi: true,
  printsJson: true,
  examples: ['upv evidence-key --pin'],
  async run(call) {
    const upvane = await openClient(call)
    const found = await upvane.ext.organization.evidenceKey()
    const publicKey = toPublicKey(found.publicKey)
    if (publicKey === undefined) throw new CommandError(1, 'the service sent no key.')
    if (call.options.pin) await pinKey(call.env, found.installation, publicKey)
    const details: Details = [
      ['Service', found.installation],
      ['Key', publicKey],
      ['Id', found.keyId],
    ]
    printDetails(found, details, call.options.json)
    if (call.options.pin) note('upv: the key is pinned.')
  },
})

const verify = defineCommand({
  name: 'verify',
  summary: 'check an evidence file, without the service',
  arguments: [{ name: 'file', text: 'the file', completion: 'file' }],
  options: {
    key: { value: 'KEY', text: 'the public key, or a file with it; otherwise the pinned one' },
  },
  printsJson: true,
  notes: [
    'It ends with 1 if a single byte of the file was changed, or if another key signed it. It needs no network.',
  ],
  examples: ['upv verify outage.evidence', 'upv verify outage.evidence --key upvane.pub'],
  async run(call) {
    const [path = ''] = call.args
    const bytes = await readLimited(path)
    const publicKey = await findKey(call.env, call.options.key, bytes)
    const found = verifyEvidence(bytes, publicKey)
    if (!found.isGenuine) throw new CommandError(1, `${clean(path)} is not genuine: ${found.fault}`)
    printDetails(found.summary, detailsOf(found.summary), call.options.json)
  },
})

async function readLimited(path: string): Promise<Buffer> {
  try {
    const { size } = await stat(path)
    if (size > MAX_BYTES) throw new CommandError(2, `${path} is larger than 64 MB.`)
    return await readFile(path)
  } catch (error) {
    if (error instanceof CommandError) throw error
    throw new CommandError(2, `${path} cannot be read (${(error as NodeJS.ErrnoException).code}).`)
  }
}

async function findKey(
  env: Parameters<typeof readPinnedKeys>[0],
  given: string | undefined,
  bytes: Buffer,
): Promise<string> {
  if (given !== undefined) {
    const key = toPublicKey(given) ?? toPublicKey((await readLimited(given)).toString('utf8'))
    if (key === undefined)
      throw new CommandError(2, '--key must be a public key, or a file with one.')
    return key
  }
  const installation = claimedInstallation(bytes)
  const pinned = (await readPinnedKeys(env)).get(installation ?? '')
  if (pinned !== undefined) return pinned
  const whose = installation === undefined ? 'the service' : clean(installation)
  throw new CommandError(
    2,
    `no key of ${whose} is pinned. Run "upv evidence-key --pin" there, or pass --key.`,
  )
}

function detailsOf(summary: EvidenceSummary): Details {
  const { startedAt, resolvedAt, createdAt, complete, entries } = summary
  return [
    ['Genuine', 'yes'],
    ['Service', summary.installation],
    ['Key', summary.keyId],
    ['Incident', summary.incidentId],
    ['Monitor', summary.monitor],
    ['Cause', summary.cause],
    ['Started', formatTime(startedAt)],
    ['Resolved', resolvedAt && formatTime(resolvedAt)],
    ['Entries', complete ? String(entries) : `${entries}, not all of its checks`],
    ['Created', formatTime(createdAt)],
  ]
}

export const EVIDENCE_COMMANDS: readonly Command[] = [key, verify]
