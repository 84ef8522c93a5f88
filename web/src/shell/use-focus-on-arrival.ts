import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'

/** A form that starts at one of its fields, or the screen. */
const placeOfArrival = (): HTMLElement | null =>
  document.querySelector<HTMLElement>('#main [data-first-field]') ??
  document.querySelector<HTMLElement>('#main')

/** A new screen is announced and read from its start. Changed filters are not a new screen. */
export function useFocusOnArrival(): void {
  const router = useRouter()
  useEffect(
    () =>
      router.subscribe('onRendered', ({ pathChanged, fromLocation }) => {
        if (pathChanged && fromLocation !== undefined)
          placeOfArrival()?.focus({ preventScroll: true })
      }),
    [router],
  )
}
