import { PATHS } from '../../../src/domain/values/dashboard-paths.ts'
import { notFoundText } from '../messages/entry/not-found.ts'
import { ButtonLink } from '../ui/button.tsx'
import { Empty } from '../ui/loading.tsx'
import { Page } from '../ui/page.tsx'
import { AuthPage } from './auth-page.tsx'

const text = notFoundText.page

/** A URL that matches no screen, for people who may not be signed in. */
export function NotFound() {
  return (
    <AuthPage title={text.title} about={text.about}>
      <a className="btn lg block" href={PATHS.home}>
        {text.action}
      </a>
    </AuthPage>
  )
}

/** A dashboard URL that matches no screen. */
export function PageNotFound() {
  return (
    <Page title={text.title}>
      <section className="card">
        <Empty
          title={text.about}
          action={<ButtonLink to={PATHS.monitors}>{text.action}</ButtonLink>}
        />
      </section>
    </Page>
  )
}
