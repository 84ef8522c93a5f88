// SVG symbols shared by all pages, included once: state marks by silhouette, and the maintenance hatch.

const MARKS = (
  <>
    <symbol id="m-up" viewBox="0 0 16 16">
      <circle cx="8" cy="8" r="7" fill="currentColor" />
      <path
        d="m4.9 8.3 2.2 2.2 4-4.5"
        fill="none"
        stroke="var(--mark-on)"
        strokeWidth="1.7"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </symbol>
    <symbol id="m-degraded" viewBox="0 0 16 16">
      <path
        d="M8 2 14.5 13.5h-13L8 2Z"
        fill="currentColor"
        stroke="currentColor"
        strokeWidth="2"
        strokeLinejoin="round"
      />
      <path d="M8 6v3.6M8 12v.01" stroke="var(--mark-on)" strokeWidth="1.7" strokeLinecap="round" />
    </symbol>
    <symbol id="m-expiring" viewBox="0 0 16 16">
      <path
        d="M3.5 2h9M3.5 14h9M4.5 2.5v2.2L7.3 8l-2.8 3.3v2.2h7v-2.2L8.7 8l2.8-3.3V2.5z"
        fill="currentColor"
        stroke="currentColor"
        strokeWidth="1.6"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </symbol>
    <symbol id="m-down" viewBox="0 0 16 16">
      <rect x="1.25" y="1.25" width="13.5" height="13.5" rx="3" fill="currentColor" />
      <path
        d="m5.3 5.3 5.4 5.4M10.7 5.3l-5.4 5.4"
        stroke="var(--mark-on)"
        strokeWidth="1.8"
        strokeLinecap="round"
      />
    </symbol>
    <symbol id="m-partial" viewBox="0 0 16 16">
      <rect
        x="2"
        y="2"
        width="12"
        height="12"
        rx="2.5"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.6"
      />
      <path
        d="m5.6 5.6 4.8 4.8M10.4 5.6l-4.8 4.8"
        stroke="currentColor"
        strokeWidth="1.6"
        strokeLinecap="round"
      />
    </symbol>
    <symbol id="m-maint" viewBox="0 0 16 16">
      <path
        d="M11.2 1.9a3.6 3.6 0 1 0 2.9 2.9"
        fill="none"
        stroke="currentColor"
        strokeWidth="2"
        strokeLinecap="round"
      />
      <path d="M7.8 8.2 3 13" stroke="currentColor" strokeWidth="2.8" strokeLinecap="round" />
    </symbol>
    <symbol id="m-paused" viewBox="0 0 16 16">
      <circle cx="8" cy="8" r="6.2" fill="none" stroke="currentColor" strokeWidth="1.5" />
      <path
        d="M6.3 5.9v4.2M9.7 5.9v4.2"
        stroke="currentColor"
        strokeWidth="1.6"
        strokeLinecap="round"
      />
    </symbol>
    <symbol id="m-none" viewBox="0 0 16 16">
      <circle cx="8" cy="8" r="6.2" fill="none" stroke="currentColor" strokeWidth="1.5" />
      <path d="M5.4 8h5.2" stroke="currentColor" strokeWidth="1.6" strokeLinecap="round" />
    </symbol>
    <symbol id="m-pending" viewBox="0 0 16 16">
      <circle
        cx="8"
        cy="8"
        r="6.2"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.6"
        strokeDasharray="2.6 2.27"
      />
    </symbol>
  </>
)

export function Sprite() {
  return (
    <svg width="0" height="0" className="sprite" aria-hidden="true">
      <pattern
        id="hatch"
        width="4"
        height="4"
        patternUnits="userSpaceOnUse"
        patternTransform="rotate(45)"
      >
        <rect width="4" height="4" fill="var(--maint-soft)" />
        <rect width="2.8" height="4" fill="var(--maint-fill)" />
      </pattern>
      {MARKS}
    </svg>
  )
}
