// A public status page as it is read, created and changed.
import type { Static } from 'typebox'
import { COMPONENT_STATES } from '../../domain/status-pages/page-state.ts'
import { MAX_COMPONENTS } from '../../domain/status-pages/sections.ts'
import {
  CUSTOM_DOMAIN_STATES,
  PAGE_FIELDS,
  PAGE_LOOK,
} from '../../domain/status-pages/status-page.ts'
import { shownFields, writableFields } from '../fields.ts'
import { closed, id, input, nullable, oneOf, patch, timestamp } from '../schema.ts'
import { Type } from '../type.ts'

const MAX_SECTIONS = 50

const ABOUT = {
  sections: 'Groups of components, in the order of the page.',
  sectionName: 'Heading of the section. Null shows none.',
  collapsed: 'Whether the section starts collapsed.',
  componentName: 'Name visitors see.',
  componentDescription: 'Text visitors see beside the name.',
  monitorId: 'Monitor whose state the component shows.',
}

export const StatusPageComponent = closed({
  id: id('Id of the component.'),
  name: Type.String({ description: ABOUT.componentName }),
  description: nullable(Type.String({ description: ABOUT.componentDescription })),
  monitorId: nullable(Type.String({ description: ABOUT.monitorId })),
  state: oneOf(COMPONENT_STATES, { description: 'What visitors see now.' }),
})

export const StatusPageSection = closed({
  id: id('Id of the section.'),
  name: nullable(Type.String({ description: ABOUT.sectionName })),
  collapsed: Type.Boolean({ description: ABOUT.collapsed }),
  components: Type.Array(StatusPageComponent, { description: 'Its components, in order.' }),
})

const shown = shownFields(PAGE_FIELDS)

export const StatusPageBody = closed({
  id: id('Id of the status page.'),
  name: shown.name,
  slug: shown.slug,
  url: Type.String({ description: 'Public address; the custom domain once it is ACTIVE.' }),
  description: shown.description,
  published: shown.published,
  customDomain: shown.customDomain,
  customDomainStatus: oneOf(CUSTOM_DOMAIN_STATES, {
    description: 'Progress of the custom domain. NONE without one.',
  }),
  passwordProtected: Type.Boolean({ description: 'Whether visitors need a password.' }),
  ...shownFields(PAGE_LOOK),
  sections: Type.Array(StatusPageSection, { description: ABOUT.sections }),
  state: oneOf(COMPONENT_STATES, { description: 'State of the whole page, from its components.' }),
  createdAt: timestamp('When it was created.'),
  updatedAt: timestamp('When it last changed.'),
})
export type StatusPageBody = Static<typeof StatusPageBody>

const STAYS = 'Left out beside an `id`: it stays.'

// No defaults here: fields that an entry with an ID leaves out stay unchanged.
/** 200 components in 20 sections, and every other field. The schema cannot say that all sections share the 200. */
export const MOST_TOKENS_OF_PAGE = 10_000

export const StatusPageComponentInput = input({
  id: Type.Optional(id('Keeps a component that exists. Without it a new one is created.')),
  name: Type.Optional(
    nullable(
      Type.String({
        minLength: 1,
        maxLength: 120,
        description: `${ABOUT.componentName} Null or left out: the name of the monitor. ${STAYS}`,
      }),
    ),
  ),
  description: Type.Optional(
    nullable(
      Type.String({ maxLength: 500, description: `${ABOUT.componentDescription} ${STAYS}` }),
    ),
  ),
  monitorId: Type.Optional(
    nullable(Type.String({ minLength: 1, description: `${ABOUT.monitorId} ${STAYS}` })),
  ),
  manualState: Type.Optional(
    oneOf(COMPONENT_STATES, {
      description: `State of a component without a monitor; OPERATIONAL if none was ever set. ${STAYS}`,
    }),
  ),
})

export const StatusPageSectionInput = input({
  id: Type.Optional(id('Keeps a section that exists. Without it a new one is created.')),
  name: Type.Optional(
    nullable(Type.String({ maxLength: 120, description: `${ABOUT.sectionName} ${STAYS}` })),
  ),
  collapsed: Type.Optional(Type.Boolean({ description: `${ABOUT.collapsed} ${STAYS}` })),
  components: Type.Optional(
    Type.Array(StatusPageComponentInput, {
      maxItems: MAX_COMPONENTS,
      description: `Its components, in order. At most ${MAX_COMPONENTS} on a page. ${STAYS}`,
    }),
  ),
})

const sent = writableFields(PAGE_FIELDS)

const writable = {
  name: sent.name,
  slug: Type.Optional(
    Type.Unsafe<string>({
      ...sent.slug,
      description: `${PAGE_FIELDS.slug.about} Left out: derived from the name.`,
    }),
  ),
  description: sent.description,
  published: sent.published,
  customDomain: sent.customDomain,
  password: Type.Optional(
    nullable(
      Type.String({
        minLength: 8,
        maxLength: 128,
        description: 'Password of the page; null removes it. It cannot be read back.',
      }),
    ),
  ),
  ...writableFields(PAGE_LOOK),
  // No default: it must be known whether it was sent, to reject both forms together.
  sections: Type.Optional(
    Type.Array(StatusPageSectionInput, {
      maxItems: MAX_SECTIONS,
      description: `${ABOUT.sections} Written as a whole: what is missing is removed.`,
    }),
  ),
  monitorIds: Type.Optional(
    Type.Array(id('Id of a monitor.'), {
      maxItems: MAX_COMPONENTS,
      description:
        'Short form: one unnamed section with these monitors, in order. Not with `sections`.',
    }),
  ),
}

export const StatusPageCreate = input(writable)
export const StatusPageUpdate = patch(writable)
