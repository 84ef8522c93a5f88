import { useState } from 'react'
import type { ResponseOf } from '../../api/contract.ts'
import { endpointText } from '../../messages/connections/webhooks.ts'
import { toast } from '../../session/toast.ts'
import { useWrite } from '../../session/use-api.ts'
import { useAddress } from '../../ui/address.ts'
import { Confirm } from '../../ui/overlay/dialog.tsx'
import type { EndpointView } from './delivery.ts'
import type { EndpointActions } from './endpoint-card.tsx'
import { NewSecret } from './new-secret.tsx'

const { deleting, done, rotating: rotatingText } = endpointText

type Shown = ResponseOf<'POST /webhook-endpoints'>

/** The actions of an endpoint's buttons and their dialogs. */
export function useEndpointActions() {
  const [rotating, setRotating] = useState<EndpointView>()
  const [removing, setRemoving] = useState<EndpointView>()
  const [shown, setShown] = useState<Shown>()
  const [, go] = useAddress({ delivery: '' })
  const test = useWrite('POST /webhook-endpoints/{endpointId}/test', {
    onDone: ({ id }) => {
      toast(done.tested)
      go({ delivery: id })
    },
  })
  const change = useWrite('PATCH /webhook-endpoints/{endpointId}', {
    onDone: ({ enabled }) => toast(enabled ? done.enabled : done.disabled),
  })
  const rotate = useWrite('POST /webhook-endpoints/{endpointId}/rotate-secret', {
    onDone: (answer) => {
      setRotating(undefined)
      setShown(answer)
    },
  })
  const remove = useWrite('DELETE /webhook-endpoints/{endpointId}', {
    onDone: () => {
      setRemoving(undefined)
      toast(done.deleted)
    },
  })
  const actions: EndpointActions = {
    test: ({ id }) => test.mutate({ params: { endpointId: id } }),
    rotate: setRotating,
    switchTo: ({ id }, enabled) => change.mutate({ params: { endpointId: id }, body: { enabled } }),
    remove: setRemoving,
    testing: test.isPending ? test.variables.params.endpointId : undefined,
  }
  const dialogs = (
    <>
      <Confirm
        open={rotating !== undefined}
        onClose={() => setRotating(undefined)}
        {...rotatingText}
        busy={rotate.isPending}
        run={() => rotating && rotate.mutate({ params: { endpointId: rotating.id } })}
      />
      <Confirm
        open={removing !== undefined}
        onClose={() => setRemoving(undefined)}
        title={deleting.title}
        about={deleting.about({ url: removing?.url ?? '', pending: removing?.held ?? 0 })}
        action={deleting.action}
        busy={remove.isPending}
        run={() => removing && remove.mutate({ params: { endpointId: removing.id } })}
      />
      {shown && <NewSecret of={shown} onClose={() => setShown(undefined)} />}
    </>
  )
  return { actions, dialogs }
}
