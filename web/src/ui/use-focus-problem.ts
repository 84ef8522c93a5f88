import { useEffect } from 'react'

/** After a rejected save, focuses the first invalid field. */
export function useFocusProblem(error: unknown): void {
  useEffect(() => {
    if (error === null || error === undefined) return
    document.querySelector<HTMLElement>(':is(main, [role=dialog]) [aria-invalid=true]')?.focus()
  }, [error])
}
