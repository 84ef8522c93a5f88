// Renders what the editor sends, in a frame with an opaque origin: the content can neither run nor read anything.
;(() => {
  const sheet = new CSSStyleSheet()
  document.adoptedStyleSheets = [sheet]
  const draw = ({ html, style }) => {
    const next = new DOMParser().parseFromString(html, 'text/html')
    const [root, { lang, dataset }] = [document.documentElement, next.documentElement]
    sheet.replaceSync(style)
    root.lang = lang
    if (dataset.theme) root.dataset.theme = dataset.theme
    else delete root.dataset.theme
    document.body.replaceChildren(document.importNode(next.body, true))
    document.body.firstChild.replaceWith(...document.body.firstChild.childNodes)
  }
  addEventListener('message', ({ source, data }) => {
    if (source === parent && typeof data?.html === 'string') draw(data)
  })
  // Only a preview: links and forms do nothing.
  for (const kind of ['click', 'auxclick', 'submit'])
    addEventListener(kind, (event) => event.target.closest?.('a, form') && event.preventDefault())
  parent.postMessage('ready', location.origin)
})()
