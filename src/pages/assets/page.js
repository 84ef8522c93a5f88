// Optional: the page is complete without it. Shows times in the visitor's own zone and keeps the page fresh.
;(() => {
  const { lang, dataset } = document.documentElement
  const language = navigator.languages.find((each) => each.startsWith(lang)) ?? lang
  const isHere = Intl.DateTimeFormat().resolvedOptions().timeZone === dataset.zone
  const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }
  const forms = {
    t: clock,
    z: { ...clock, timeZoneName: 'short' },
    s: { ...clock, second: '2-digit', timeZoneName: 'short' },
    d: { ...clock, weekday: 'short', day: 'numeric', month: 'short', timeZoneName: 'short' },
  }
  const localize = (root) => {
    for (const time of isHere ? [] : root.querySelectorAll('time[data-form]')) {
      const { form, to } = time.dataset
      const format = new Intl.DateTimeFormat(language, forms[form])
      const at = new Date(time.dateTime)
      time.title = time.textContent
      time.textContent = to ? format.formatRange(at, new Date(to)) : format.format(at)
    }
  }
  localize(document)

  const EVERY_MS = 30_000
  let asked = Date.now()
  const replace = (part, next) => {
    const [old, fresh] = [document.querySelector(part), next.querySelector(part)]
    if (!old || !fresh) return
    const folds = [...old.querySelectorAll('details')].map(({ open }) => open)
    for (const [i, fold] of fresh.querySelectorAll('details').entries())
      fold.open = folds[i] ?? fold.open
    localize(fresh)
    old.replaceWith(fresh)
  }
  const refresh = async () => {
    if (document.hidden || Date.now() - asked < EVERY_MS - 1000) return
    asked = Date.now()
    const answer = await fetch(location.pathname, { cache: 'no-cache' }).catch(() => ({}))
    const main = document.querySelector('main')
    // Content stays while the visitor has focus or a selection in it.
    if (!answer.ok || main.contains(document.activeElement) || String(getSelection())) return
    const next = new DOMParser().parseFromString(await answer.text(), 'text/html')
    for (const part of ['main', '.foot', '.defs']) replace(part, next)
    document.title = next.title
  }
  setInterval(refresh, EVERY_MS)
  document.addEventListener('visibilitychange', refresh)
})()
