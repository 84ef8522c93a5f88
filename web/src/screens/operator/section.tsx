import type { ReactNode } from 'react'

type SectionProps = { title: string; about?: string; children: ReactNode }

export function Section({ title, about, children }: SectionProps) {
  return (
    <div className="form-grid">
      <div>
        <h2>{title}</h2>
        {about !== undefined && <p>{about}</p>}
      </div>
      <div className="form-fields">{children}</div>
    </div>
  )
}
