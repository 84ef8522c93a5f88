/** Why NATS cannot be used, as a sentence that says what to look at. */
export function natsFault(reason: string, signIn: NatsSignIn = 'url'): string {
  if (/authoriz|authentic|credential/i.test(reason))
    return `NATS refuses this user (${reason}). ${REMEDIES[signIn]}`
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
    'It may have been revoked: look with upvane probe list on a machine of the service. To use this machine again, delete its probe file and join with a new token.',
}
