// The subscribers of one page. Only people who manage the page see the addresses.
import { useState } from 'react'
import type { ItemOf } from '../../../api/contract.ts'
import { subscribersText as TEXT } from '../../../messages/publishing/status-pages.ts'
import { useMay } from '../../../session/organization.ts'
import { toast } from '../../../session/toast.ts'
import { useRead, useWrite } from '../../../session/use-api.ts'
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
    <section className="card" aria-label={TEXT.title}>
      <Empty title={TEXT.count({ count: subscribers })}>
        {TEXT.countAbout({ unconfirmed: waiting })}
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
  const isWhole = typed.includes('@') || typed.includes('://')
  const address = isWhole ? typed.trim() : ''
  const offset = address === '' ? (Math.max(1, Number(shown) || 1) - 1) * PAGE_SIZE : 0
  const list = useRead('GET /overview/status-pages/{statusPageId}/subscribers', {
    params: { statusPageId: page.id },
    query: { limit: PAGE_SIZE, offset, state: wanted, ...(address !== '' && { address }) },
  })
  return (
    <>
      <section className="card" aria-labelledby="subscribers">
        <header>
          <h2 id="subscribers">{TEXT.title}</h2>
          <Segment
            label={TEXT.which}
            name="state"
            value={wanted}
            options={[
              { value: 'CONFIRMED', label: TEXT.confirmed({ count: page.subscribers }) },
              { value: 'WAITING', label: TEXT.unconfirmed({ count: page.waiting }) },
            ]}
          />
        </header>
        <div className="card-body">
          <TextInput
            label={TEXT.search}
            type="search"
            hint={TEXT.searchHint}
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
  if (!isFound) return <Empty title={TEXT.noMatch} />
  if (wanted === 'WAITING') return <Empty title={TEXT.noneWaiting}>{TEXT.noneWaitingAbout}</Empty>
  return <Empty title={TEXT.none}>{page.subscribersEnabled ? TEXT.noneAbout : TEXT.noneOff}</Empty>
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
              {TEXT.kinds[subscriber.kind]} ·{' '}
              {subscriber.components === null
                ? TEXT.all
                : TEXT.components({ count: subscriber.components })}
            </span>
          </div>
          <span className="faint num">
            {subscriber.confirmedAt === null ? TEXT.requested : TEXT.since}{' '}
            <Time at={subscriber.confirmedAt ?? subscriber.askedAt} />
          </span>
          <span>
            <Button
              kind="ghost"
              size="sm"
              aria-label={TEXT.removeLabel({ address: subscriber.address })}
              onClick={() => onRemove(subscriber)}
            >
              {TEXT.remove}
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
      toast(TEXT.removing.done)
      onClose()
    },
  })
  return (
    <Confirm
      open={subscriber !== undefined}
      onClose={onClose}
      title={TEXT.removing.title}
      about={TEXT.removing.about({ address: subscriber?.address ?? '', page: page.name })}
      action={TEXT.removing.action}
      busy={remove.isPending}
      run={() =>
        subscriber &&
        remove.mutate({ params: { statusPageId: page.id, subscriberId: subscriber.id } })
      }
    />
  )
}
