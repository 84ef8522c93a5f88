// The layout of every email: tables and inline styles, which all email clients support. Dark mode is in a style
// element; clients that drop it show the light version.
import type { Tone } from '../../domain/status-pages/notice.ts'
import { type Html, html, raw } from '../../render/html.ts'

type Layout = {
  lang: string
  /** Above the card: who the email is from. */
  pageName: string | Html
  /** Email clients show it after the subject. */
  preview: Html
  tone: Tone
  /** Replaces the tone's own glyph. */
  glyph?: string
  heading: string
  /** Below the heading: a word in the tone's color, and more text. */
  line: { strong: string; more: string } | undefined
  body: Html | undefined
  rows: readonly { label: string; value: Html }[]
  button: { label: string; url: string }
  /** A secondary link next to the button. */
  second?: { label: string; url: string }
  footer: Html
}

type Colours = { soft: string; edge: string; word: string }
type ToneStyle = Colours & { glyph: string; radiusPx: number; dark: Colours }

const TONE_STYLES: Record<Tone, ToneStyle> = {
  UP: {
    soft: '#effaf3',
    edge: '#c3e6d0',
    word: '#15803d',
    glyph: '\u2713',
    radiusPx: 16,
    dark: { soft: '#0e2017', edge: '#1d4630', word: '#4ade80' },
  },
  DEGRADED: {
    soft: '#fff8eb',
    edge: '#f3d9a8',
    word: '#b45309',
    glyph: '\u25b2\ufe0e',
    radiusPx: 7,
    dark: { soft: '#231a09', edge: '#54401a', word: '#fbbf24' },
  },
  DOWN: {
    soft: '#fef3f2',
    edge: '#f4c7c4',
    word: '#b91c1c',
    glyph: '\u2715',
    radiusPx: 7,
    dark: { soft: '#271314', edge: '#5a2629', word: '#f87171' },
  },
  MAINTENANCE: {
    soft: '#f0f5ff',
    edge: '#c7d8fb',
    word: '#1d4ed8',
    glyph: '\u2692\ufe0e',
    radiusPx: 7,
    dark: { soft: '#0f1a2e', edge: '#223f70', word: '#60a5fa' },
  },
  NONE: {
    soft: '#f1f3f5',
    edge: '#d3d8de',
    word: '#626b78',
    glyph: '\u2013',
    radiusPx: 16,
    dark: { soft: '#171d26', edge: '#303a48', word: '#9ca3af' },
  },
}

const FONT = raw(
  "font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,'Hiragino Sans','Noto Sans JP',Helvetica,Arial,sans-serif",
)
const TABLE = raw('role="presentation" cellpadding="0" cellspacing="0" border="0"')

export function renderLayout(layout: Layout): string {
  const { lang, pageName, preview, heading, tone, button } = layout
  const style = TONE_STYLES[tone]
  const page = html`<!doctype html>
<html lang="${lang}" dir="auto">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${heading}</title>
<style>${PHONE_STYLE}${darkStyle(style.dark)}</style>
</head>
<body style="margin:0;background:#f8f9fa">
<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">${preview}</div>
<table ${TABLE} class="page" width="100%" style="background:#f8f9fa"><tr><td align="center" style="padding:32px 16px">
<table ${TABLE} width="560" style="width:100%;max-width:560px">
<tr><td class="ink" style="padding:0 0 14px;${FONT};font-size:15px;line-height:20px;font-weight:600;color:#11161d;word-break:break-word">${pageName}</td></tr>
<tr><td class="card" style="background:#ffffff;border:1px solid #e6e9ec;border-radius:11px">
<table ${TABLE} width="100%">
${head(layout, style)}
${body(layout)}
${detailRows(layout.rows)}
<tr><td style="padding:${isBare(layout) ? '24px' : '12px'} 24px 24px"><table ${TABLE}><tr><td class="btn" style="background:#11161d;border-radius:7px"><a class="btn-a" href="${button.url}" style="display:inline-block;padding:11px 18px;${FONT};font-size:15px;line-height:20px;font-weight:600;color:#ffffff;text-decoration:none">${button.label}</a></td>${secondLink(layout)}</tr></table></td></tr>
</table></td></tr>
<tr><td class="muted" style="padding:16px 0 0;${FONT};font-size:12px;line-height:18px;color:#5f6977;overflow-wrap:anywhere">${layout.footer}</td></tr>
</table></td></tr></table>
</body>
</html>
`
  return page.text
}

/** Only a heading is above the button. */
const isBare = ({ rows, body: content }: Layout) => rows.length === 0 && content === undefined

function body({ body: content }: Layout): Html {
  return content === undefined
    ? html``
    : html`<tr><td style="padding:20px 24px 0"><div class="ink" style="${FONT};font-size:16px;line-height:25px;color:#11161d;overflow-wrap:anywhere">${content}</div></td></tr>`
}

function head({ heading, line, glyph }: Layout, style: ToneStyle): Html {
  const below =
    line &&
    html`<p class="muted" style="margin:2px 0 0;${FONT};font-size:14px;line-height:20px;color:#47515e"><b class="state" style="color:${style.word}">${line.strong}</b> &middot; ${line.more}</p>`
  const mark = html`width:32px;height:32px;background:${style.word};border-radius:${`${style.radiusPx}px`};color:#ffffff;${FONT};font-size:18px;line-height:32px;font-weight:700`
  return html`<tr><td class="tone" style="background:${style.soft};border-bottom:1px solid ${style.edge};border-radius:10px 10px 0 0;padding:22px 24px">
<table ${TABLE}><tr>
<td width="32" valign="middle" style="width:32px"><table ${TABLE}><tr><td class="glyph" width="32" height="32" align="center" style="${mark}">${glyph ?? style.glyph}</td></tr></table></td>
<td style="padding-left:16px"><h1 class="ink" style="margin:0;${FONT};font-size:21px;line-height:28px;font-weight:600;letter-spacing:-0.3px;color:#11161d;overflow-wrap:anywhere">${heading}</h1>${below ?? ''}</td>
</tr></table></td></tr>`
}

function secondLink({ second }: Layout): Html {
  return second === undefined
    ? html``
    : html`<td style="padding-left:16px"><a class="ink" href="${second.url}" style="${FONT};font-size:15px;line-height:20px;color:#11161d;text-decoration:underline">${second.label}</a></td>`
}

function detailRows(rows: Layout['rows']): Html {
  if (rows.length === 0) return html``
  const lines = rows.map(({ label, value }, index) => {
    const edge = index === 0 ? '' : 'border-top:1px solid #e6e9ec;'
    return html`<tr><td class="line label muted" style="${edge}padding:11px 16px 11px 0;${FONT};font-size:14px;line-height:20px;color:#47515e;vertical-align:top;width:112px">${label}</td><td class="line value ink" style="${edge}padding:11px 0;${FONT};font-size:14px;line-height:20px;color:#11161d;vertical-align:top;overflow-wrap:anywhere">${value}</td></tr>`
  })
  return html`<tr><td style="padding:6px 24px 8px"><table ${TABLE} width="100%">${lines}</table></td></tr>`
}

// On a narrow screen, a label next to its value would take half of the width.
const PHONE_STYLE = raw(`
@media (max-width: 480px) {
  .label { display: block !important; width: auto !important; padding: 11px 0 0 !important; }
  .value { display: block !important; border-top: 0 !important; padding: 1px 0 11px !important; }
}
`)

function darkStyle({ soft, edge, word }: Colours): Html {
  return html`
:root { color-scheme: light dark; }
@media (prefers-color-scheme: dark) {
  body, .page { background: #0b0f14 !important; }
  .card { background: #10151c !important; border-color: #212934 !important; }
  .line { border-color: #212934 !important; }
  .ink { color: #eaeef3 !important; }
  .muted { color: #aab4c1 !important; }
  .tone { background: ${soft} !important; border-color: ${edge} !important; }
  .state { color: ${word} !important; }
  .glyph { background: ${word} !important; color: ${soft} !important; }
  .btn { background: #eaeef3 !important; }
  .btn-a { color: #0b0f14 !important; }
}
`
}
