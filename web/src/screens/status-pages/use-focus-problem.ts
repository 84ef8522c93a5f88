import { useEffect } from 'react'

/** After a refusal: to the first field that has to be changed, wherever it stands. */
export function useFocusProblem(error: unknown): void {
  useEffect(() => {
    if (error === null || error === undefined) return
    document.querySelector<HTMLElement>('main [aria-invalid=true]')?.focus()
  }, [error])
}
