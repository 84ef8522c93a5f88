import { useNavigate } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { Fragment, type ReactNode } from 'react'
import { PATHS } from '../../../../src/domain/values/dashboard-paths.ts'
import { contactsText as TEXT } from '../../messages/connections/contacts.ts'
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
import { Escalation } from './escalation/escalation.tsx'
import { OpsgenieNotice } from './opsgenie.tsx'
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
  useShortcuts(may ? [{ keys: 'n', label: TEXT.create, group: 'This screen', run: create }] : [])
  return (
    <Page
      title={TEXT.title}
      about={TEXT.about}
      actions={
        may && (
          <ButtonLink kind="primary" to={PATHS.newContact}>
            <Plus className="icon" aria-hidden="true" />
            {TEXT.create} <Keys of="N" />
          </ButtonLink>
        )
      }
    >
      <Wait until={[contacts]} />
      {failing.map((contact) => (
        <NotReached key={contact.id} of={contact} may={may} />
      ))}
      <OpsgenieNotice contacts={all} />
      <section className="card" aria-label={TEXT.list}>
        <ContactTable contacts={contacts} may={may} />
        {contacts.data && all.length === 0 && (
          <Empty
            title={TEXT.emptyTitle}
            action={may && <ButtonLink to={PATHS.newContact}>{TEXT.addFirst}</ButtonLink>}
          >
            {TEXT.emptyAbout}
          </Empty>
        )}
        {all.length > 0 && <Legend />}
      </section>
      <Escalation contacts={all} may={may} />
      <Notifications />
    </Page>
  )
}

function NotReached({ of, may }: { of: ContactView; may: boolean }) {
  const now = useNow(60_000)
  const parts = {
    name: <bdi>{of.name}</bdi>,
    next: of.givenUp ? TEXT.failing.givenUp : TEXT.failing.keepTrying,
    b: (inside: ReactNode) => <b className="strong">{inside}</b>,
  }
  return (
    <div className="notice is-down" role="status">
      <Mark state="DOWN" />
      <div className="grow wrap-any">
        {of.failingSince === null
          ? TEXT.failing.noSince(parts)
          : TEXT.failing.since({ ...parts, moment: formatMoment(of.failingSince, now) })}
      </div>
      {may && (
        <ButtonLink size="sm" to={PATHS.editContact} params={{ contactId: of.id }}>
          {TEXT.failing.fix}
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
          <th>{TEXT.contact}</th>
          <th>{TEXT.lastDelivery}</th>
          <th>{TEXT.monitors}</th>
          <th>{TEXT.hours}</th>
          <th>{TEXT.timing}</th>
          <th>
            <span className="sr">{TEXT.actions}</span>
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
          {TEXT.legend.on}
        </span>
        <span>
          <svg width="8" height="14" viewBox="0 0 8 14" aria-hidden="true">
            <rect className="h-off" x="0" y="9" width="3" height="5" />
            <rect className="h-off" x="5" y="9" width="3" height="5" />
          </svg>
          {TEXT.legend.off}
        </span>
      </div>
      <span>{TEXT.legend.acknowledge}</span>
    </footer>
  )
}
