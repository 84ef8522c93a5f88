// The search page: shows what rank.js finds while somebody types. Follows rank.js in the same script.
const byId = (id) => document.getElementById(id)
const [input, results, all, count] = ['query', 'results', 'all', 'count'].map(byId)
const EXCERPT_LENGTH = 180
let prepared

function element(name, text, className) {
  const made = document.createElement(name)
  if (text) made.textContent = text
  if (className) made.className = className
  return made
}

function toLink(url, text) {
  const link = element('a', text)
  link.href = url
  return link
}

function toItem({ page, sections, stems }) {
  const item = element('li')
  item.append(element('span', page.title, 'page'))
  for (const [title, anchor, text] of sections) {
    item.append(toLink(`${page.url}#${anchor}`, title))
    const line = element('p')
    for (const [piece, isHit] of excerpt(text, stems, EXCERPT_LENGTH))
      line.append(isHit ? element('mark', piece) : piece)
    item.append(line)
  }
  return item
}

function show() {
  const query = input.value.trim()
  prepared ??= prepare(JSON.parse(byId('index').textContent))
  const found = query === '' ? [] : search(prepared, query)
  results.replaceChildren(...found.map(toItem))
  results.hidden = query === ''
  all.hidden = query !== ''
  count.textContent = query === '' ? '' : sayCount(found.length)
  const address = query === '' ? location.pathname : `?q=${encodeURIComponent(query)}`
  history.replaceState(null, '', address)
}

function sayCount(pages) {
  if (pages === 0) return 'No results. Try other words, or fewer.'
  return pages === 1 ? '1 page' : `${pages} pages`
}

input.hidden = false
input.value = new URLSearchParams(location.search).get('q') ?? ''
input.addEventListener('input', show)
input.focus()
if (input.value !== '') show()
