import { useNavigate } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { Fragment } from 'react'
import { CHANNELS } from '../../../../src/domain/alerts/channels.ts'
import { PATHS } from '../../../../src/domain/values/dashboard-paths.ts'
import { useShortcuts } from '../../session/keyboard.ts'
import { useMay } from '../../session/organization.ts'
import { useRead } from '../../session/use-api.ts'
import { Notifications } from '../../shared/notifications/notifications.tsx'
import { formatMoment } from '../../time/format.ts'
import { useNow } from '../../time/use-now.ts'
import { useAddress } from '../../ui/address.ts'
import { ButtonLink, Keys } from '../../ui/button.tsx'
import { Empty, Loaded, SkeletonRows, Wait } from '../../ui/loading.tsx'
import { Page } from '../../ui/page.tsx'
import { Mark } from '../../ui/state.tsx'
import type { ContactView } from './contact.ts'
import { ContactDetail } from './contact-detail.tsx'
import { ContactRow } from './contact-row.tsx'
import '../../ui/legend.css'
import '../../ui/notice.css'
import './alert-contacts.css'

const EVERY_MS = 15_000
const ADDRESS = { contact: '' }

export function AlertContacts() {
  const may = useMay('ADMIN')
  const navigate = useNavigate()
  const contacts = useRead('GET /alert-contacts', {}, { refetchInterval: EVERY_MS })
  const all = contacts.data?.data ?? []
  const failing = all.filter(({ failingSince, givenUp }) => failingSince !== null || givenUp)
  const create = () => void navigate({ to: PATHS.newContact })
  useShortcuts(may ? [{ keys: 'n', label: 'New contact', group: 'This screen', run: create }] : [])
  return (
    <Page
      title="Alert contacts"
      about="Who is told when something is wrong."
      actions={
        may && (
          <ButtonLink kind="primary" to={PATHS.newContact}>
            <Plus className="icon" aria-hidden="true" />
            New contact <Keys of="N" />
          </ButtonLink>
        )
      }
    >
      <Wait until={[contacts]} />
      {failing.map((contact) => (
        <NotReached key={contact.id} of={contact} may={may} />
      ))}
      <section className="card" aria-label="All contacts">
        <ContactTable contacts={contacts} may={may} />
        {contacts.data && all.length === 0 && (
          <Empty
            title="Nobody is told yet"
            action={may && <ButtonLink to={PATHS.newContact}>Add the first contact</ButtonLink>}
          >
            A contact is a mailbox, a chat or a pager that hears of it when a monitor goes down.
          </Empty>
        )}
        {all.length > 0 && <Legend />}
      </section>
      <Notifications />
    </Page>
  )
}

function NotReached({ of, may }: { of: ContactView; may: boolean }) {
  const now = useNow(60_000)
  return (
    <div className="notice is-down" role="status">
      <Mark state="DOWN" />
      <div className="grow wrap-any">
        <b className="strong">
          <bdi>{of.name}</bdi> ({CHANNELS[of.channel].label}) is not reached
          {of.failingSince !== null && ` since ${formatMoment(of.failingSince, now)}`}.
        </b>{' '}
        {of.givenUp
          ? 'It is not tried any more until it is changed or tested.'
          : 'We go on trying; others are told as before.'}
      </div>
      {may && (
        <ButtonLink size="sm" to={PATHS.editContact} params={{ contactId: of.id }}>
          Repair it
        </ButtonLink>
      )}
    </div>
  )
}

type ContactTableProps = {
  contacts: ReturnType<typeof useRead<'GET /alert-contacts'>>
  may: boolean
}

function ContactTable({ contacts, may }: ContactTableProps) {
  const [{ contact: open }, go] = useAddress(ADDRESS)
  return (
    <table className="table contacts">
      <thead>
        <tr>
          <th>Contact</th>
          <th>Last delivery</th>
          <th>Monitors</th>
          <th>Hours</th>
          <th>First alert, reminder</th>
          <th>
            <span className="sr">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        <Loaded
          query={contacts}
          loading={<SkeletonRows rows={4} widths={['60%', '60%', '30%', '80%', '50%', '']} />}
        >
          {({ data }) =>
            data.map((contact) => (
              <Fragment key={contact.id}>
                <ContactRow
                  of={contact}
                  may={may}
                  open={open === contact.id}
                  toggle={() => go({ contact: open === contact.id ? '' : contact.id })}
                />
                {open === contact.id && (
                  <tr className="detail">
                    <td colSpan={6}>
                      <ContactDetail of={contact} may={may} />
                    </td>
                  </tr>
                )}
              </Fragment>
            ))
          }
        </Loaded>
      </tbody>
    </table>
  )
}

function Legend() {
  return (
    <footer>
      <div className="legend">
        <span>
          <svg width="8" height="14" viewBox="0 0 8 14" aria-hidden="true">
            <rect className="h-on" x="0" width="3" height="14" />
            <rect className="h-on" x="5" width="3" height="14" />
          </svg>
          told at once
        </span>
        <span>
          <svg width="8" height="14" viewBox="0 0 8 14" aria-hidden="true">
            <rect className="h-off" x="0" y="9" width="3" height="5" />
            <rect className="h-off" x="5" y="9" width="3" height="5" />
          </svg>
          quiet, alerts wait
        </span>
      </div>
      <span>Taking an incident stops its reminders.</span>
    </footer>
  )
}
