// The styles of the guides: the reference's ground and frame, and the rules of running text.
import { FRAME, fontsFrom, GROUND, TOKENS } from '../reference/style.ts'

const NAVIGATION = `
nav details{border-bottom:1px solid var(--line)}
nav summary{display:flex;align-items:center;justify-content:space-between;min-height:36px;padding:0 8px;font-size:.75rem;font-weight:600;cursor:pointer;list-style:none}
nav summary::-webkit-details-marker{display:none}
nav summary::after{content:"+";color:var(--ink-3);font-weight:400}nav details[open]>summary::after{content:"\\2212"}
nav details>ul{padding-bottom:12px}
nav li a[aria-current]{background:var(--accent-soft);color:var(--accent);font-weight:500}
nav li ul{margin:2px 0 6px 16px;border-inline-start:1px solid var(--line)}nav li ul a{min-height:26px;font-size:.75rem}
`

const ARTICLE = `
main{max-width:52rem;padding-top:40px}
main::after{height:10vh}
.group{color:var(--accent);font-size:.8125rem;font-weight:500}
main h1{margin-top:4px}
main h2{margin-top:56px;font-size:1.375rem}main h3{margin-top:40px;font-size:1.0625rem}main h4{margin-top:28px;font-size:.9375rem}
main h2,main h3,main h4{scroll-margin-top:calc(var(--top) + 8px);overflow-wrap:anywhere}
h4>a:hover::after{content:" #";color:var(--accent)}
main :is(p,ul,ol,pre,table,blockquote){margin-top:14px}
main :is(p,li,td){color:var(--ink-2)}main strong{color:var(--ink);font-weight:600}
main :is(ul,ol){padding-inline-start:24px;list-style:revert}main li{margin-top:6px}main li>:is(p,ul,ol){margin-top:6px}
main :is(p,li,td,th) a[href]{color:var(--accent);text-decoration:underline;text-decoration-color:var(--accent-line);text-underline-offset:3px}
main :is(p,li,td,th) a[href]:hover{text-decoration-color:currentColor}
main li code{padding:.1em .36em;border-radius:4px;background:var(--sunken);color:var(--ink);overflow-wrap:anywhere}
main .about{color:var(--ink-3);font:.6875rem/1.5 var(--mono);overflow-wrap:anywhere}.about+pre{margin-top:4px}
main img{display:block;max-width:100%;height:auto;border:1px solid var(--line);border-radius:11px;background:var(--surface)}
pre{max-height:34rem;padding:14px 16px;overflow:auto;border:1px solid var(--line);border-radius:11px;background:var(--canvas);color:var(--ink);font:.8125rem/1.65 var(--mono);tab-size:2;scrollbar-width:thin;scrollbar-color:var(--line-strong) transparent}
pre code,main li pre code{padding:0;background:none;font:inherit;letter-spacing:0;overflow-wrap:normal}
table{width:100%;border-collapse:collapse;font-size:.875rem}
th{padding:8px 16px 8px 0;color:var(--ink-3);font-size:.75rem;font-weight:500;text-align:start;vertical-align:bottom}
td{padding:10px 16px 10px 0;border-top:1px solid var(--line);vertical-align:top;overflow-wrap:anywhere}
td:first-child{color:var(--ink)}th:last-child,td:last-child{padding-inline-end:0}
details:not(nav *){margin-top:14px;padding:0 16px;border:1px solid var(--line);border-radius:11px}
details:not(nav *)[open]{padding-bottom:16px}
details:not(nav *)>summary{margin-inline:-16px;padding:10px 16px;font-weight:500;cursor:pointer}
:target{background:var(--accent-soft)}nav:target{background:var(--surface)}
.list{padding:0!important;list-style:none!important}.list>li{margin:0;padding:10px 0;border-top:1px solid var(--line)}
.list>li>a{color:var(--ink)!important;font-weight:500;text-decoration:none!important}.list>li>a:hover{color:var(--accent)!important}
.list p{margin-top:2px;font-size:.875rem}
.find{display:flex;align-items:center;min-height:48px;margin-top:24px;padding:0 16px;border:1px solid var(--line-strong);border-radius:11px;color:var(--ink-3);background:var(--canvas)}.find:hover{border-color:var(--accent)}
.near{display:flex;flex-wrap:wrap;justify-content:space-between;gap:12px;margin-top:72px;padding-top:20px;border-top:1px solid var(--line);font-size:.875rem}
.near a:hover{color:var(--accent)}.near span{display:block;color:var(--ink-3);font-size:.75rem}.near :last-child:not(:first-child){text-align:end}
`

const SEARCH = `
.search{width:100%;min-height:48px;margin-top:20px;padding:0 16px;border:1px solid var(--line-strong);border-radius:11px;color:var(--ink);background:var(--canvas);font:1rem var(--sans)}
.search:focus{outline:2px solid var(--accent);outline-offset:1px}
.results mark{padding:0 1px;border-radius:3px;color:inherit;background:var(--accent-soft);font-weight:600}
.results .page{color:var(--accent);font-size:.75rem;font-weight:500}
.results>li>a{display:block;margin-top:6px}
[hidden]{display:none!important}
`

const NARROW = `
@media (max-width:860px){
:root{--top:52px}
.frame{display:block}.menu{display:inline-block}.ways{gap:12px}.version{display:none}
.top{padding:0 16px}.brand span{display:none}
nav{display:none}
nav:target{display:block;position:fixed;inset:0;z-index:9;height:auto;padding:16px 16px 64px;border:0;font-size:.9375rem}
nav li a,nav li ul a,nav summary{min-height:44px;font-size:.9375rem}
nav .close{display:block;width:max-content;margin-inline-start:auto;margin-bottom:8px}
main{padding:24px 16px 64px}
h1{font-size:1.625rem}main h2{margin-top:44px}
thead{display:none}table,tbody,tr,td{display:block}
tr{padding:10px 0;border-top:1px solid var(--line)}td{padding:2px 0;border:0}
td:first-child{font-weight:500}td:empty{display:none}
td[data-column]:not(:first-child)::before{content:attr(data-column) ": ";color:var(--ink-3);font-size:.75rem}
}
@media print{.top,nav,.near,.find{display:none}.frame{display:block}pre{max-height:none;white-space:pre-wrap}}
`

export const guideStyle = (fontPath: string): string =>
  [fontsFrom(fontPath), TOKENS, GROUND, FRAME, NAVIGATION, ARTICLE, NARROW].join('').trim()

export const searchStyle = (fontPath: string): string => `${guideStyle(fontPath)}\n${SEARCH.trim()}`
