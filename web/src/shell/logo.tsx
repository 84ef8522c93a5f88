import './logo.css'

export function Wordmark() {
  return (
    <svg width="98" height="26" viewBox="0 0 106 28" aria-hidden="true">
      <path d="M12 4 3.5 23 12 18.2Z" fill="currentColor" />
      <path d="M12 4 20.5 23 12 18.2Z" fill="var(--accent)" />
      <g fill="none" stroke="currentColor" strokeWidth="2.2" transform="translate(30 10)">
        <path d="M0-1v7a4 4 0 0 0 8 0v-7" />
        <path d="M13-1v15.5M13 5a4.4 4.9 0 1 1 0 .1" />
        <path d="m25.3-1 4.1 9.4L33.5-1" />
        <path d="M46-1v12M46 5a4.4 4.9 0 1 0 0 .1" />
        <path d="M51.5-1v12M51.5 4.3a4 4.1 0 0 1 8 0V11" />
        <path d="M64.4 5.1h8.4a4.3 4.9 0 1 0-1.5 3.4" />
      </g>
    </svg>
  )
}

export function LogoMark() {
  return (
    <svg width="24" height="24" viewBox="0 0 24 24" aria-hidden="true">
      <path d="M12 2 3.5 21 12 16.2Z" fill="currentColor" />
      <path d="M12 2 20.5 21 12 16.2Z" fill="var(--accent)" />
    </svg>
  )
}
