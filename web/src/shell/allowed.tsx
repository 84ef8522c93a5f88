import { Outlet, useMatches } from '@tanstack/react-router'
import { PATHS } from '../../../src/domain/values/dashboard-paths.ts'
import { useMay, useOrganization } from '../session/organization.ts'
import { ButtonLink } from '../ui/button.tsx'
import { Empty } from '../ui/loading.tsx'
import { Page } from '../ui/page.tsx'
import { roleLabel } from '../ui/role-label.ts'

/** The screen, if the person's role allows it. */
export function Allowed() {
  const needs = useMatches({ select: (matches) => matches.at(-1)?.staticData.needs })
  const may = useMay(needs ?? 'READ_ONLY')
  if (may || needs === undefined) return <Outlet />
  return <NotAllowed />
}

function NotAllowed() {
  const { role, name } = useOrganization()
  return (
    <Page title="Not with your role">
      <section className="card">
        <Empty
          title="Your role does not change this"
          action={<ButtonLink to={PATHS.monitors}>Go to the monitors</ButtonLink>}
        >
          In {name} it is “{roleLabel(role)}”. An admin can give you another one.
        </Empty>
      </section>
    </Page>
  )
}
