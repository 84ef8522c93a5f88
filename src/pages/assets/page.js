// Optional: the page is complete without it. Shows on hover what time it was where the visitor is, and what each day was
// like, closes the menu, and keeps the page fresh.
;(() => {
  const { lang, dataset } = document.documentElement
  const isHere = Intl.DateTimeFormat().resolvedOptions().timeZone === dataset.zone
  const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZoneName: 'short' }
  const forms = {
    z: clock,
    s: { ...clock, second: '2-digit' },
    d: { ...clock, weekday: 'short', day: 'numeric', month: 'short' },
  }
  // The text keeps the page's zone, which the days of the history follow.
  const addOwnTimes = (root) => {
    for (const time of isHere ? [] : root.querySelectorAll('time[data-form]')) {
      const { form, to } = time.dataset
      const format = new Intl.DateTimeFormat(lang, forms[form])
      const at = new Date(time.dateTime)
      time.title = to ? format.formatRange(at, new Date(to)) : format.format(at)
    }
  }
  addOwnTimes(document)

  const day = new Intl.DateTimeFormat(lang, { day: 'numeric', month: 'short', timeZone: 'UTC' })
  const DAY_MS = 86_400_000
  const tip = document.body.appendChild(document.createElement('div'))
  tip.className = 'tip'
  tip.hidden = true
  let shown = []
  const hideTip = () => {
    tip.hidden = true
    shown = []
  }
  // The browser would show a title too, later and elsewhere.
  const nameOf = (link) => {
    const title = link.querySelector('title')
    if (title) {
      link.setAttribute('aria-label', title.textContent)
      title.remove()
    }
    return link.getAttribute('aria-label')
  }
  const isBad = (code) => code !== 'u' && code !== '-'
  const linkOf = (svg, index) => {
    const { codes } = svg.dataset
    const before = Array.from(codes.slice(0, index)).filter(isBad).length
    return isBad(codes[index]) ? svg.querySelectorAll('a')[before] : undefined
  }
  const textOf = (svg, index) => {
    const link = linkOf(svg, index)
    if (link) return nameOf(link)
    const { from, u, none } = svg.closest('.sections').dataset
    const date = day.format(Date.parse(from) + index * DAY_MS)
    return `${date}: ${svg.dataset.codes[index] === 'u' ? u : none}`
  }
  const showTip = (svg, index) => {
    const { codes } = svg.dataset
    const [box, edge] = [svg.getBoundingClientRect(), svg.parentElement.getBoundingClientRect()]
    tip.textContent = textOf(svg, index)
    tip.hidden = false
    shown = [svg, index]
    const middle = box.left + ((index + 0.5) / codes.length) * box.width - tip.offsetWidth / 2
    const most = edge.right - tip.offsetWidth
    tip.style.left = `${scrollX + Math.max(edge.left, Math.min(middle, most))}px`
    tip.style.top = `${scrollY + box.top - tip.offsetHeight - 6}px`
  }
  // Which day is at that place, as a bar or as the gap beside it.
  const dayAt = ({ target, clientX }) => {
    const svg = target.closest?.('.bars')?.firstElementChild
    if (!svg) return []
    const { left, width } = svg.getBoundingClientRect()
    const { length } = svg.dataset.codes
    return [svg, Math.max(0, Math.min(length - 1, Math.floor(((clientX - left) / width) * length)))]
  }
  let touched
  const onPoint = (event) => {
    const [svg, index] = dayAt(event)
    if (!svg) return hideTip()
    if (event.type === 'pointerdown')
      touched = event.pointerType === 'touch' && !(shown[0] === svg && shown[1] === index)
    showTip(svg, index)
  }
  document.addEventListener('pointermove', onPoint)
  document.addEventListener('pointerdown', onPoint)
  document.addEventListener('focusin', ({ target }) => {
    const svg = target.closest?.('.bars a')?.parentElement
    if (!svg) return
    const nth = [...svg.querySelectorAll('a')].indexOf(target)
    const bad = [...svg.dataset.codes].flatMap((code, index) => (isBad(code) ? index : []))
    showTip(svg, bad[nth])
  })
  document.addEventListener('focusout', hideTip)
  document.addEventListener('click', (event) => {
    // The first touch of a bad day says what it was, the second opens it.
    if (touched && event.target.closest('.bars a')) event.preventDefault()
    touched = false
    for (const menu of document.querySelectorAll('.menu[open]'))
      if (!menu.contains(event.target)) menu.open = false
  })
  document.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape') return
    hideTip()
    const menu = document.querySelector('.menu[open]')
    if (!menu) return
    menu.open = false
    menu.querySelector('summary').focus()
  })

  const EVERY_MS = 30_000
  let asked = Date.now()
  const replace = (part, next) => {
    const [old, fresh] = [document.querySelector(part), next.querySelector(part)]
    if (!old || !fresh) return
    const folds = [...old.querySelectorAll('details')].map(({ open }) => open)
    for (const [i, fold] of fresh.querySelectorAll('details').entries())
      fold.open = folds[i] ?? fold.open
    addOwnTimes(fresh)
    old.replaceWith(fresh)
  }
  const refresh = async () => {
    if (document.hidden || Date.now() - asked < EVERY_MS - 1000) return
    asked = Date.now()
    const answer = await fetch(location.pathname, { cache: 'no-cache' }).catch(() => ({}))
    const main = document.querySelector('main')
    const isTyped = [...main.querySelectorAll('input')].some(({ value }) => value)
    // Content stays while the visitor has focus, a selection or an address in it.
    if (!answer.ok || isTyped || main.contains(document.activeElement) || String(getSelection()))
      return
    hideTip()
    const next = new DOMParser().parseFromString(await answer.text(), 'text/html')
    for (const part of ['main', '.foot', '.defs']) replace(part, next)
    document.title = next.title
  }
  setInterval(refresh, EVERY_MS)
  document.addEventListener('visibilitychange', refresh)
})()
