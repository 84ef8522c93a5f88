import { Fragment } from 'react'

/** Lets a long event type wrap after dots and underscores, and a URL after its path segments. */
const PARTS = { event: /[^._]*[._]?/g, address: /^\w+:\/\/[^/]*\/?|[^/]+\/?/g }

export function breakable(text: string, what: keyof typeof PARTS) {
  return [...text.matchAll(PARTS[what])].map(({ 0: part, index }) => (
    <Fragment key={index}>
      {part}
      <wbr />
    </Fragment>
  ))
}
