// What seals the file of a move: a passphrase, or a key that a program wrote.
import { readFileSync } from 'node:fs'
import type { FileSecret } from '../../platform/crypto/sealed-file.ts'
import { type Flags, UsageError } from '../cli/flags.ts'

const MIN_PASSPHRASE = 16
const MAX_BYTES = 4096
const KEY_BYTES = 32

/** Read from files, because arguments show in the list of processes. */
export function readSecret(flags: Flags): FileSecret {
  const { 'passphrase-file': passphraseFile, 'key-file': keyFile } = flags
  if ((passphraseFile === undefined) === (keyFile === undefined))
    throw new UsageError('Give --passphrase-file or --key-file, one of them.')
  return keyFile === undefined ? readPassphrase(String(passphraseFile)) : readKey(String(keyFile))
}

function readPassphrase(file: string): FileSecret {
  const text = readSmall(file).toString().trim()
  if ([...text].length < MIN_PASSPHRASE)
    throw new UsageError(`The passphrase needs ${MIN_PASSPHRASE} characters or more.`)
  return { kind: 'PASSPHRASE', bytes: Buffer.from(text.normalize('NFC')) }
}

function readKey(file: string): FileSecret {
  const bytes = Buffer.from(readSmall(file).toString().trim(), 'base64')
  if (bytes.length !== KEY_BYTES)
    throw new UsageError('The key file must contain 32 bytes in base64: openssl rand -base64 32')
  return { kind: 'KEY', bytes }
}

function readSmall(file: string): Buffer {
  try {
    const bytes = readFileSync(file)
    if (bytes.length <= MAX_BYTES) return bytes
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new UsageError(`The file cannot be read: ${reason}`)
  }
  throw new UsageError(`${file} is too large to hold a passphrase or a key.`)
}
