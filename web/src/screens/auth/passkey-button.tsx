import { useMutation } from '@tanstack/react-query'
import { Fingerprint } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { ResponseOf } from '../../api/contract.ts'
import { authText } from '../../messages/entry/auth.ts'
import { canOfferPasskeys, hasPasskeys, signInWithPasskey } from '../../shared/passkeys.ts'
import { Button } from '../../ui/button.tsx'
import { FormProblems } from '../../ui/field.tsx'

type SignInStatus = ResponseOf<'GET /session'>

// A challenge is good for five minutes.
const RENEW_MS = 4 * 60_000

type PasskeyButtonProps = {
  onStatus: (status: SignInStatus) => void
  /** Also among the suggestions of the email field, which has `autocomplete="username webauthn"`. */
  offers?: boolean
  autoFocus?: boolean
}

/** False where passkeys cannot work: by the server's address, or in an old browser. */
export const canContinueWithPasskey = ({ canPasskey }: SignInStatus): boolean =>
  canPasskey && hasPasskeys()

export function PasskeyButton({ onStatus, offers = false, autoFocus }: PasskeyButtonProps) {
  const offering = useOffer(offers, onStatus)
  const signIn = useMutation({
    mutationFn: () => {
      // A browser asks for one passkey at a time.
      offering.stop()
      return signInWithPasskey()
    },
    onSuccess: onStatus,
    onError: offering.again,
  })
  return (
    <>
      <FormProblems error={signIn.error} fields={[]} />
      <Button
        size="lg"
        block
        autoFocus={autoFocus}
        busy={signIn.isPending}
        onClick={() => signIn.mutate()}
      >
        <Fingerprint className="icon" aria-hidden="true" />
        {authText.continueWithPasskey}
      </Button>
    </>
  )
}

/** Offers passkeys while the person may also type. Silent: whoever ignores the offer sees no problem. */
function useOffer(isOn: boolean, onStatus: (status: SignInStatus) => void) {
  const [round, setRound] = useState(0)
  const offered = useRef<AbortController>(null)
  const onDone = useEffectEvent(onStatus)
  useEffect(() => {
    if (!isOn) return
    const stop = new AbortController()
    offered.current = stop
    const renewal = setTimeout(() => setRound(round + 1), RENEW_MS)
    void offer(stop.signal).then((next) => next && onDone(next))
    return () => {
      clearTimeout(renewal)
      stop.abort()
    }
  }, [isOn, round])
  return { stop: () => offered.current?.abort(), again: () => setRound(round + 1) }
}

async function offer(signal: AbortSignal): Promise<SignInStatus | undefined> {
  if (!(await canOfferPasskeys()) || signal.aborted) return undefined
  try {
    return await signInWithPasskey({ mediation: 'conditional', signal })
  } catch {
    // The button asks the same question, and shows what is wrong.
    return undefined
  }
}
