import type { FormValues } from './form-values.ts'

export type WindowPartProps = {
  values: FormValues
  set: (change: Partial<FormValues>) => void
  at: (path: string) => string | undefined
}
