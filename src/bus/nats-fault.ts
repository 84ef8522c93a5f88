const REFUSED_USER = /authoriz|authentic|credential/i

/** Why NATS cannot be used, as a sentence that says what to look at. */
export function natsFault(reason: string, signIn: NatsSignIn = 'url'): string {
  if (isRefusedUser(reason)) return `NATS refuses this user (${reason}). ${REMEDIES[signIn]}`
  if (/certificate|self-signed/i.test(reason))
    return `The certificate of NATS cannot be verified (${reason}). Name its authority in NATS_CA_FILE.`
  return `NATS cannot be used (${reason}). Does it run, and is NATS_URL right?`
}

/** Where a process has its identity from: NATS_URL, NATS_CREDS_FILE or PROBE_FILE. */
type NatsSignIn = 'url' | 'file' | 'joined'

export const signInOf = (options: { credsFile?: unknown; identity?: unknown }): NatsSignIn =>
  options.identity !== undefined ? 'joined' : options.credsFile !== undefined ? 'file' : 'url'

const REMEDIES: Record<NatsSignIn, string> = {
  url: 'Look at the user and password in NATS_URL, or name its credentials in NATS_CREDS_FILE.',
  file: 'Look at NATS_CREDS_FILE: upvane nats setup writes that file, and nats-server must include upvane-auth.conf of the same installation.',
  joined:
    'This probe was probably revoked: upvane probe list on a machine of the service says so. To use this machine again, delete the file in PROBE_FILE (by default /var/lib/upvane/probe.json), create a token with upvane region add, and run upvane probe join with it.',
}

/** NATS accepts the user, but not everything that the process does. */
export class NatsPermissionError extends Error {
  constructor(refusal: Error) {
    super(
      `NATS does not permit what this process needs (${refusal.message}). Compare the permissions of its user with deploy/nats-probe-example.conf, or run upvane nats setup again.`,
      { cause: refusal },
    )
  }
}

/** Whether NATS was reached, and knows no such user or key. */
export const isRefusedUser = (reason: string): boolean => REFUSED_USER.test(reason)
