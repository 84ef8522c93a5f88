import { assault } from './assault.ts'

assault('Markdown: drafts of a READ_ONLY member hold up nobody', {
  attack: 'drafts',
  atLeast: { 'draft 200': 20 },
})

assault('Markdown: hostile incidents on a page and in mails hold up nobody', {
  attack: 'pages',
  atLeast: { 'publish 201': 20, 'page 200': 20, mails: 50 },
})
