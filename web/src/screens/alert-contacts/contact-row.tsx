import { ChevronDown, ChevronRight, Mail, Send } from 'lucide-react'
import { contactsText } from '../../messages/connections/contacts.ts'
import { toast } from '../../session/toast.ts'
import { useWrite } from '../../session/use-api.ts'
import { ChannelIcon } from '../../shared/channel-icon.tsx'
import { Button } from '../../ui/button.tsx'
import { StateLabel } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import {
  appearanceOfContact,
  type ContactView,
  delayLabel,
  describeContact,
  reminderLabel,
} from './contact.ts'
import { Hours } from './hours.tsx'
import './alert-contacts.css'

const TEXT = contactsText.row

type ContactRowProps = { of: ContactView; may: boolean; open: boolean; toggle: () => void }

export function ContactRow({ of, may, open, toggle }: ContactRowProps) {
  const { state, word, at } = appearanceOfContact(of)
  const Fold = open ? ChevronDown : ChevronRight
  return (
    <tr className={open ? 'is-open' : ''}>
      <td className="name">
        <div className="row ch">
          <span className="ch-icon">
            <ChannelIcon of={of.channel} />
          </span>
          <div className="two">
            <span className="truncate strong-2" title={of.name}>
              <bdi>{of.name}</bdi>
            </span>
            <span className="truncate" title={describeContact(of)}>
              {describeContact(of)}
            </span>
          </div>
        </div>
      </td>
      <td className="ld">
        <div className="two">
          <StateLabel state={state} word={word} />
          <span className="num in">{at !== null && <Time at={at} />}</span>
        </div>
      </td>
      <td className="mn num">{of.monitors}</td>
      <td className="hr">
        <Hours quiet={of.quietHours} />
      </td>
      <td className="dl">
        <div className="two">
          <span>{delayLabel(of.delayMinutes)}</span>
          <span>{reminderLabel(of.reminderMinutes)}</span>
        </div>
      </td>
      <td className="end ac">
        <div className="row">
          {may && (of.confirmed ? <TestButton of={of} /> : <ResendButton of={of} />)}
          <Button
            kind="ghost"
            square
            size="sm"
            aria-expanded={open}
            aria-label={open ? TEXT.close({ name: of.name }) : TEXT.open({ name: of.name })}
            onClick={toggle}
          >
            <Fold className="icon dir" aria-hidden="true" />
          </Button>
        </div>
      </td>
    </tr>
  )
}

function TestButton({ of }: { of: ContactView }) {
  const test = useWrite('POST /alert-contacts/{contactId}/test', {
    onDone: () => toast(TEXT.tested({ name: of.name })),
  })
  return (
    <Button
      size="sm"
      busy={test.isPending}
      aria-label={TEXT.testLabel({ name: of.name })}
      onClick={() => test.mutate({ params: { contactId: of.id } })}
    >
      <Send className="icon" aria-hidden="true" />
      {TEXT.test}
    </Button>
  )
}

function ResendButton({ of }: { of: ContactView }) {
  const resend = useWrite('POST /alert-contacts/{contactId}/confirmation', {
    onDone: () => toast(TEXT.resent({ address: of.settings['address'] ?? of.name })),
  })
  return (
    <Button
      size="sm"
      busy={resend.isPending}
      aria-label={TEXT.resendLabel({ name: of.name })}
      onClick={() => resend.mutate({ params: { contactId: of.id } })}
    >
      <Mail className="icon" aria-hidden="true" />
      {TEXT.resend}
    </Button>
  )
}
