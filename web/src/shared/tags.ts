// Tags are typed as a list with commas: "production, eu".
import { distinctTagNames } from '../../../src/domain/monitors/tag.ts'

export const parseTags = (text: string): string[] =>
  distinctTagNames(text.split(',')).filter((name) => name !== '')
