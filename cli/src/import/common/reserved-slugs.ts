// Words that the service does not take as the slug of a page. A test compares them with the service's own list.
const RESERVED = new Set(
  `about account admin api app assets auth badge badges billing blog cdn console dashboard dev docs
  feed feeds health help home hooks incident incidents internal livez login logout maintenance metrics
  monitor monitors new null openapi page pages ping probe public readyz register root rss security
  settings signin signup static status status-page status-pages subscribe support system test
  undefined unsubscribe user users webhook webhooks well-known www`.split(/\s+/),
)

export const isReservedSlug = (slug: string): boolean => RESERVED.has(slug)

export const RESERVED_SLUGS: readonly string[] = [...RESERVED]
