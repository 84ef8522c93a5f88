import { Plus } from 'lucide-react'
import { useState } from 'react'
import type { ResponseOf } from '../../api/contract.ts'
import { teamText } from '../../messages/team.ts'
import { useShortcuts } from '../../session/keyboard.ts'
import { useMay, useOrganization } from '../../session/organization.ts'
import { useRead } from '../../session/use-api.ts'
import { useAddress } from '../../ui/address.ts'
import { Button, Keys } from '../../ui/button.tsx'
import { Secret } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { Page } from '../../ui/page.tsx'
import { Invitations } from './invitations.tsx'
import { InviteForm } from './invite-form.tsx'
import { Members } from './members.tsx'
import './team.css'

const ADDRESS = { invite: '' }

export function Team() {
  const { name } = useOrganization()
  const may = useMay('ADMIN')
  const [address, go] = useAddress(ADDRESS)
  const [link, setLink] = useState<ResponseOf<'POST /invitations'>>()
  const members = useRead('GET /members', {})
  const open = () => go({ invite: '1' })
  const close = () => go({ invite: '' }, { replace: true })
  useShortcuts(may ? [{ keys: 'n', label: 'Invite', group: 'This screen', run: open }] : [])
  return (
    <Page
      title={teamText.team}
      about={`People with access to ${name}.`}
      actions={
        may && (
          <Button kind="primary" onClick={open}>
            <Plus className="icon" aria-hidden="true" />
            {teamText.invite} <Keys of="N" />
          </Button>
        )
      }
    >
      <Members members={members} />
      {may && <Invitations onLink={setLink} />}
      {may && address.invite !== '' && (
        <InviteForm
          onClose={close}
          onInvited={(invited) => {
            close()
            if (invited.link !== null) setLink(invited)
          }}
        />
      )}
      {link?.link != null && (
        <Dialog
          open
          holds
          onClose={() => setLink(undefined)}
          title={teamText.shareThisLink}
          about={`Email isn't set up, so send this link to ${link.email} yourself. It works once and won't be shown again.`}
          foot={
            <Button kind="primary" onClick={() => setLink(undefined)}>
              {teamText.done}
            </Button>
          }
        >
          <Secret text={link.link} label={teamText.invitationLink} />
        </Dialog>
      )}
    </Page>
  )
}
