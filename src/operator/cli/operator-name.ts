// Who runs a command, for the operator log: the account on this machine.
import { userInfo } from 'node:os'

const MAX_LENGTH = 120

export function operatorName(environment: NodeJS.ProcessEnv = process.env): string {
  return (environment['SUDO_USER'] || accountName()).slice(0, MAX_LENGTH)
}

/** A container may run under an id that has no name. */
function accountName(): string {
  try {
    return userInfo().username || `uid ${process.getuid?.()}`
  } catch {
    return `uid ${process.getuid?.()}`
  }
}
