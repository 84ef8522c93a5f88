import { useState } from 'react'
import type { ResponseOf } from '../../api/contract.ts'
import { toast } from '../../session/toast.ts'
import { useWrite } from '../../session/use-api.ts'
import { useAddress } from '../../ui/address.ts'
import { Confirm } from '../../ui/overlay/dialog.tsx'
import type { EndpointView } from './delivery.ts'
import type { EndpointActions } from './endpoint-card.tsx'
import { NewSecret } from './new-secret.tsx'

type Shown = ResponseOf<'POST /webhook-endpoints'>

/** The actions of an endpoint's buttons and their dialogs. */
export function useEndpointActions() {
  const [rotating, setRotating] = useState<EndpointView>()
  const [removing, setRemoving] = useState<EndpointView>()
  const [shown, setShown] = useState<Shown>()
  const [, go] = useAddress({ delivery: '' })
  const test = useWrite('POST /webhook-endpoints/{endpointId}/test', {
    onDone: ({ id }) => {
      toast('A test event is on its way')
      go({ delivery: id })
    },
  })
  const change = useWrite('PATCH /webhook-endpoints/{endpointId}', {
    onDone: ({ enabled }) => toast(enabled ? 'Enabled: what was held is sent now' : 'Disabled'),
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
      toast('The endpoint is deleted')
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
        title="Rotate the signing secret?"
        about="A new secret signs from now on. For 24 hours the old one signs too, so that your receiver can change over without a gap."
        action="Rotate secret"
        busy={rotate.isPending}
        run={() => rotating && rotate.mutate({ params: { endpointId: rotating.id } })}
      />
      <Confirm
        open={removing !== undefined}
        onClose={() => setRemoving(undefined)}
        title="Delete this endpoint?"
        about={`Removes ${removing?.url ?? ''} and its secret; ${removing?.held ?? 0} waiting deliveries are canceled. The delivery log stays for 30 days.`}
        action="Delete endpoint"
        busy={remove.isPending}
        run={() => removing && remove.mutate({ params: { endpointId: removing.id } })}
      />
      {shown && <NewSecret of={shown} onClose={() => setShown(undefined)} />}
    </>
  )
  return { actions, dialogs }
}
