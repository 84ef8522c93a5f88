// The email subscribers of one page. Only people who manage the page see the addresses.
import { useState } from 'react'
import type { ItemOf } from '../../../api/contract.ts'
import { useMay } from '../../../session/organization.ts'
import { toast } from '../../../session/toast.ts'
import { useRead, useWrite } from '../../../session/use-api.ts'
import { formatCount, plural } from '../../../time/figures.ts'
import { useAddress } from '../../../ui/address.ts'
import { Button } from '../../../ui/button.tsx'
import { TextInput } from '../../../ui/inputs.tsx'
import { Empty, Loaded, Skeleton } from '../../../ui/loading.tsx'
import { Confirm } from '../../../ui/overlay/dialog.tsx'
import { Pages } from '../../../ui/pages.tsx'
import { Segment } from '../../../ui/segment.tsx'
import { Time } from '../../../ui/time.tsx'
import type { StatusPageView } from '../page.ts'
import { PageTab } from '../page-tab.tsx'
import '../published-list.css'

type Subscriber = ItemOf<'GET /overview/status-pages/{statusPageId}/subscribers'>

const PAGE_SIZE = 25
const ADDRESS = { state: 'CONFIRMED', page: '1' }

export function PageSubscribers() {
  const may = useMay('MEMBER')
  return (
    <PageTab current="SUBSCRIBERS">
      {(page) => (may ? <Subscribers page={page} /> : <Counted page={page} />)}
    </PageTab>
  )
}

function Counted({ page: { subscribers, waiting } }: { page: StatusPageView }) {
  return (
    <section className="card" aria-label="Subscribers">
      <Empty title={plural(subscribers, 'subscriber')}>
        {`${formatCount(waiting)} more did not confirm yet. Their addresses are shown to members who may change the page.`}
      </Empty>
    </section>
  )
}

function Subscribers({ page }: { page: StatusPageView }) {
  const [{ state, page: shown }] = useAddress(ADDRESS)
  const [typed, setTyped] = useState('')
  const [leaving, setLeaving] = useState<Subscriber>()
  const wanted = state === 'WAITING' ? 'WAITING' : 'CONFIRMED'
  // The server matches complete addresses only.
  const address = typed.includes('@') ? typed.trim() : ''
  const offset = address === '' ? (Math.max(1, Number(shown) || 1) - 1) * PAGE_SIZE : 0
  const list = useRead('GET /overview/status-pages/{statusPageId}/subscribers', {
    params: { statusPageId: page.id },
    query: { limit: PAGE_SIZE, offset, state: wanted, ...(address !== '' && { address }) },
  })
  return (
    <>
      <section className="card" aria-labelledby="subscribers">
        <header>
          <h2 id="subscribers">Subscribers</h2>
          <Segment
            label="Which subscribers"
            name="state"
            value={wanted}
            options={[
              { value: 'CONFIRMED', label: `Confirmed ${formatCount(page.subscribers)}` },
              { value: 'WAITING', label: `Not confirmed yet ${formatCount(page.waiting)}` },
            ]}
          />
        </header>
        <div className="card-body">
          <TextInput
            label="Find an address"
            type="search"
            hint="The whole address: they lie encrypted."
            autoComplete="off"
            value={typed}
            onChange={setTyped}
          />
        </div>
        <Loaded query={list} loading={<Skeleton />}>
          {({ data }) =>
            data.length === 0 ? (
              <NoSubscribers page={page} wanted={wanted} isFound={address === ''} />
            ) : (
              <Rows subscribers={data} onRemove={setLeaving} />
            )
          }
        </Loaded>
      </section>
      {list.data && list.data.pagination.total > PAGE_SIZE && <Pages {...list.data.pagination} />}
      <RemoveSubscriber page={page} subscriber={leaving} onClose={() => setLeaving(undefined)} />
    </>
  )
}

type NoSubscribersProps = {
  page: StatusPageView
  wanted: 'CONFIRMED' | 'WAITING'
  isFound: boolean
}

function NoSubscribers({ page, wanted, isFound }: NoSubscribersProps) {
  if (!isFound) return <Empty title="Nobody has this address here" />
  if (wanted === 'WAITING')
    return (
      <Empty title="Nobody waits">Whoever does not confirm within two days is forgotten.</Empty>
    )
  return (
    <Empty title="Nobody has subscribed yet">
      {page.subscribersEnabled
        ? 'Readers find the form on the page. They are told of incidents and of maintenance.'
        : 'Subscribing is switched off for this page.'}
    </Empty>
  )
}

type RowsProps = { subscribers: readonly Subscriber[]; onRemove: (subscriber: Subscriber) => void }

function Rows({ subscribers, onRemove }: RowsProps) {
  return (
    <ul className="told-list">
      {subscribers.map((subscriber) => (
        <li key={subscriber.id} data-row={subscriber.id}>
          <div className="two">
            <span className="truncate strong" title={subscriber.address}>
              <bdi>{subscriber.address}</bdi>
            </span>
            <span className="truncate">
              {subscriber.components === null
                ? 'The whole page'
                : plural(subscriber.components, 'component')}
            </span>
          </div>
          <span className="faint num">
            {subscriber.confirmedAt === null ? 'Asked ' : 'Since '}
            <Time at={subscriber.confirmedAt ?? subscriber.askedAt} />
          </span>
          <span className="remove">
            <Button
              kind="ghost"
              size="sm"
              aria-label={`Remove ${subscriber.address}`}
              onClick={() => onRemove(subscriber)}
            >
              Remove
            </Button>
          </span>
        </li>
      ))}
    </ul>
  )
}

type RemoveSubscriberProps = {
  page: StatusPageView
  subscriber: Subscriber | undefined
  onClose: () => void
}

function RemoveSubscriber({ page, subscriber, onClose }: RemoveSubscriberProps) {
  const remove = useWrite('DELETE /status-pages/{statusPageId}/subscribers/{subscriberId}', {
    onDone: () => {
      toast('The subscriber is removed.')
      onClose()
    },
  })
  return (
    <Confirm
      open={subscriber !== undefined}
      onClose={onClose}
      title="Remove this subscriber?"
      about={`${subscriber?.address ?? ''} gets no more mails of ${page.name}, and nothing of them is kept. They may subscribe again.`}
      action="Remove subscriber"
      busy={remove.isPending}
      run={() =>
        subscriber &&
        remove.mutate({ params: { statusPageId: page.id, subscriberId: subscriber.id } })
      }
    />
  )
}
