import { area } from './area.ts'
import * as english from './en/managed-by.ts'

export const { managedByText } = area(english)
