// What the operator of an installation decides about an organization that is imported, and not its file: who could write
// the file can write anything into it.

export type MoveDecisions = {
  /** Null: the plan of the file. */
  plan: string | null
  keepsLimits: boolean
  keepsSubscription: boolean
  keepsPrivateTargets: boolean
  keepsDomains: boolean
  keepsConfirmed: boolean
  keepsMembers: boolean
  keepsQueue: boolean
}

/** What the import reset, as counted. */
export type MoveResets = {
  plan: { from: string; to: string } | null
  limits: boolean
  subscription: { from: string; to: string } | null
  privateTargets: boolean
  slowed: number
  domains: number
  contacts: number
  subscribers: number
  invitations: number
  emails: number
  notices: number
  ownContacts: number
}

/** One sentence each, with the flag that keeps it. */
export function resetSentences(resets: MoveResets): string[] {
  const { plan, subscription } = resets
  const counted: [count: number, text: string, flag: string][] = [
    [
      resets.slowed,
      'monitors are checked less often, as the plan allows',
      '--plan or --keep-limits',
    ],
    [
      resets.domains,
      'active custom domains are proven again before they are used',
      '--keep-domains',
    ],
    [resets.contacts, 'email contacts must be confirmed again', '--keep-confirmed'],
    [resets.subscribers, 'subscribers of status pages must confirm again', '--keep-confirmed'],
    [resets.invitations, 'open invitations were withdrawn', '--keep-members'],
    [resets.ownContacts, 'contacts with browser notifications were left out', '--keep-members'],
    [resets.emails, 'queued emails and notifications are not sent', '--keep-queue'],
    [resets.notices, 'unfinished notices to subscribers are not sent', '--keep-queue'],
  ]
  return [
    ...(plan === null ? [] : [`The plan is ${plan.to}, in the file it was ${plan.from} (--plan).`]),
    ...(resets.limits ? ['Limits beside the plan were removed (--keep-limits).'] : []),
    ...(subscription === null
      ? []
      : [
          `The subscription is ${subscription.to}, in the file it was ${subscription.from} (--trust-source).`,
        ]),
    ...(resets.privateTargets
      ? ['It may no longer check private addresses (--private-targets).']
      : []),
    ...counted
      .filter(([count]) => count > 0)
      .map(([count, text, flag]) => `${count} ${text} (${flag}).`),
  ]
}
