import { useNavigate } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { PATHS } from '../../../../src/domain/values/dashboard-paths.ts'
import { webhooksText as TEXT } from '../../messages/connections/webhooks.ts'
import { useShortcuts } from '../../session/keyboard.ts'
import { useMay } from '../../session/organization.ts'
import { useRead } from '../../session/use-api.ts'
import { useManaged } from '../../shared/managed-by.tsx'
import { ButtonLink, Keys } from '../../ui/button.tsx'
import { Empty, Loaded, Skeleton } from '../../ui/loading.tsx'
import { Page } from '../../ui/page.tsx'
import { Deliveries } from './deliveries.tsx'
import { EndpointCard } from './endpoint-card.tsx'
import { useEndpointActions } from './use-endpoint-actions.tsx'
import './endpoint-card.css'

const EVERY_MS = 15_000

export function Webhooks() {
  const may = useMay('MEMBER')
  const navigate = useNavigate()
  const endpoints = useRead('GET /overview/webhook-endpoints', {}, { refetchInterval: EVERY_MS })
  const managed = useManaged((endpoints.data?.data ?? []).map(({ id }) => id))
  const { actions, dialogs } = useEndpointActions()
  const create = () => void navigate({ to: PATHS.newEndpoint })
  useShortcuts(may ? [{ keys: 'n', label: TEXT.create, group: 'This screen', run: create }] : [])
  return (
    <Page
      title={TEXT.title}
      about={
        <>
          {TEXT.about}{' '}
          <a className="link" href="/docs" target="_blank" rel="noreferrer">
            {TEXT.howToVerify}
          </a>
        </>
      }
      actions={
        may && (
          <ButtonLink kind="primary" to={PATHS.newEndpoint}>
            <Plus className="icon" aria-hidden="true" />
            {TEXT.create} <Keys of="N" />
          </ButtonLink>
        )
      }
    >
      <Loaded query={endpoints} loading={<CardLoading />}>
        {({ data }) =>
          data.length === 0 ? (
            <section className="card">
              <Empty
                title={TEXT.emptyTitle}
                action={may && <ButtonLink to={PATHS.newEndpoint}>{TEXT.createFirst}</ButtonLink>}
              >
                {TEXT.emptyAbout}
              </Empty>
            </section>
          ) : (
            data.map((endpoint) => (
              <EndpointCard
                key={endpoint.id}
                of={endpoint}
                managedBy={managed.get(endpoint.id)}
                actions={may ? actions : undefined}
              />
            ))
          )
        }
      </Loaded>
      <Deliveries endpoints={endpoints.data?.data ?? []} />
      {dialogs}
    </Page>
  )
}

function CardLoading() {
  return (
    <section className="card ep-wait wait" aria-hidden="true">
      <Skeleton width="30%" />
      <Skeleton width="80%" />
    </section>
  )
}
