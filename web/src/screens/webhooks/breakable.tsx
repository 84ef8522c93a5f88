import { Fragment } from 'react'

/** A long event may break behind its dots and underscores, an address behind the parts of its path. */
const PARTS = { event: /[^._]*[._]?/g, address: /^\w+:\/\/[^/]*\/?|[^/]+\/?/g }

export function breakable(text: string, what: keyof typeof PARTS) {
  return [...text.matchAll(PARTS[what])].map(({ 0: part, index }) => (
    <Fragment key={index}>
      {part}
      <wbr />
    </Fragment>
  ))
}
