// The reference's styles: the product's tokens, and only the rules this page needs.

/** The one file that the page loads. Text looks the same where Inter is not installed. */
export const FONT_PATH = '/docs/inter-latin.woff2'

// The second face has the metrics of the first, so that nothing moves when the font arrives.
export const fontsFrom = (path: string): string => `
@font-face{font-family:Inter;src:url(${path}) format("woff2");font-weight:100 900;font-display:swap;
unicode-range:U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+2000-206F,U+20AC,U+2122,U+2191,U+2193,U+2212,U+2215,U+FEFF,U+FFFD}
@font-face{font-family:"Inter Fallback";src:local("Arial"),local("Liberation Sans"),local("Helvetica");
size-adjust:107%;ascent-override:90%;descent-override:22.5%;line-gap-override:0%}
`

export const TOKENS = `
:root{color-scheme:light dark;
--canvas:light-dark(#f8f9fa,#0b0f14);--surface:light-dark(#fff,#10151c);--sunken:light-dark(#f1f3f5,#0a0d12);
--hover:light-dark(#f4f5f7,#161c25);--line:light-dark(#e6e9ec,#212934);--line-strong:light-dark(#d3d8de,#303a48);
--ink:light-dark(#11161d,#eaeef3);--ink-2:light-dark(#47515e,#aab4c1);--ink-3:light-dark(#5f6977,#8b96a5);
--accent:light-dark(#5443d2,#a8a0ff);--accent-soft:light-dark(#f5f3ff,#1b1a33);--accent-line:light-dark(#c9c2f5,#3d3878);
--up:light-dark(#15803d,#4ade80);--degraded:light-dark(#b45309,#fbbf24);--down:light-dark(#b91c1c,#f87171);--maint:light-dark(#1d4ed8,#60a5fa);
--sans:Inter,"Inter Fallback",system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;
--mono:"JetBrains Mono",ui-monospace,"SF Mono",Menlo,Consolas,"Liberation Mono",monospace;
--top:56px}
:root[data-theme=light]{color-scheme:light}
:root[data-theme=dark]{color-scheme:dark}
@media (prefers-contrast:more){:root{--line:light-dark(#868f9c,#667283);--line-strong:light-dark(#47515e,#aab4c1);--ink-2:var(--ink);--ink-3:light-dark(#333b46,#c5cdd8)}}
`

export const GROUND = `
*,*::before,*::after{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;scroll-padding-top:calc(var(--top) + 16px)}
@media (prefers-reduced-motion:no-preference){html{scroll-behavior:smooth}}
body{margin:0;background:var(--surface);color:var(--ink);font:400 .9375rem/1.6 var(--sans);-webkit-font-smoothing:antialiased;text-rendering:optimizeLegibility}
h1,h2,h3,h4,p,ul,figure,pre,table{margin:0}
ul{padding:0;list-style:none}
a{color:inherit;text-decoration:none}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:3px}
::selection{background:var(--accent-soft)}
h1,h2,h3,h4{font-weight:600;line-height:1.25;text-wrap:balance}
h1{font-size:2.125rem;letter-spacing:-.021em}
h2{font-size:1.625rem;letter-spacing:-.021em}
h3{font-size:1.25rem;letter-spacing:-.014em}
h4{font-size:.8125rem;letter-spacing:-.005em}
h2>a:hover::after,h3>a:hover::after{content:" #";color:var(--accent)}
p{text-wrap:pretty}
code{font:.9em/1.5 var(--mono);font-variant-ligatures:none;letter-spacing:-.01em}
p code,td code{padding:.1em .36em;border-radius:4px;background:var(--sunken);color:var(--ink);overflow-wrap:anywhere}
.link{color:var(--accent);text-decoration:underline;text-decoration-color:var(--accent-line);text-underline-offset:3px}
.link:hover{text-decoration-color:currentColor}
.skip{position:absolute;inset-inline-start:-999px}
.skip:focus{position:fixed;inset:12px auto auto 12px;z-index:9;padding:8px 12px;border-radius:7px;background:var(--ink);color:var(--surface)}
`

export const FRAME = `
.top{position:sticky;top:0;z-index:5;display:flex;align-items:center;gap:12px;height:var(--top);padding:0 24px;border-bottom:1px solid var(--line);background:color-mix(in srgb,var(--surface) 88%,transparent);backdrop-filter:blur(10px)}
.brand{display:flex;align-items:center;gap:8px;font-size:.9375rem;letter-spacing:-.011em}
.brand span{color:var(--ink-3);padding-inline-start:8px;border-inline-start:1px solid var(--line-strong)}
.ink{fill:var(--ink)}.accent{fill:var(--accent)}
.version{padding:1px 7px;border:1px solid var(--line-strong);border-radius:99px;color:var(--ink-3);font:500 .6875rem/1.5 var(--mono)}
.ways{display:flex;align-items:center;gap:20px;margin-inline-start:auto;color:var(--ink-2);font-size:.8125rem}.ways a:hover{color:var(--accent)}.ways a[aria-current]{color:var(--ink);font-weight:500}
.spec{font-family:var(--mono)}
.menu,.close{display:none;padding:6px 12px;border:1px solid var(--line-strong);border-radius:7px;font-size:.8125rem;font-weight:500}
.frame{display:grid;grid-template-columns:272px minmax(0,1fr);max-width:1536px;margin-inline:auto}
nav{position:sticky;top:var(--top);align-self:start;height:calc(100dvh - var(--top));overflow-y:auto;padding:20px 12px 48px 16px;border-inline-end:1px solid var(--line);font-size:.8125rem;scrollbar-width:thin;scrollbar-color:var(--line-strong) transparent;scroll-target-group:auto}
nav h2{margin:20px 8px 4px;color:var(--ink);font-size:.75rem;letter-spacing:0}
nav h2:first-of-type{margin-top:0}
nav li a{display:flex;align-items:center;justify-content:space-between;gap:8px;min-height:29px;padding:3px 8px;border-radius:7px;color:var(--ink-2);line-height:1.35}
nav li a:hover{background:var(--hover);color:var(--ink)}
nav li a:target-current{background:var(--accent-soft);color:var(--accent)}
nav .method{font-size:.625rem}
main{min-width:0;padding:0 40px 96px}
main::after{content:"";display:block;height:30vh}
`

const SECTION = `
.op{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,30rem);gap:24px 56px;padding:56px 0;border-bottom:1px solid var(--line);scroll-margin-top:calc(var(--top) - 24px)}
.intro{padding-top:48px}.intro .lead{font-size:1.125rem}
.text{min-width:0;max-width:44rem}
.text>p{margin-top:12px;color:var(--ink-2)}
.text>p code{white-space:nowrap}
.text>h4{margin-top:32px;padding-bottom:8px;border-bottom:1px solid var(--line)}
.group{padding-bottom:40px}
.route{display:flex;align-items:baseline;gap:8px;font-size:.875rem}
.route code{padding:0;background:none;color:var(--ink-2)}.route i{font-style:normal;color:var(--accent)}
.method{flex:none;font:600 .6875rem/1.6 var(--mono);letter-spacing:.01em}
.get{color:var(--maint)}.post{color:var(--up)}.put,.patch{color:var(--degraded)}.delete{color:var(--down)}
.fields>li{padding:12px 0;border-bottom:1px solid var(--line);font-size:.875rem}
.fields>li:last-child{border-bottom:0}
.fields p{margin-top:3px;color:var(--ink-2)}
.fields .head{display:flex;flex-wrap:wrap;align-items:baseline;gap:2px 8px;margin:0}
.head .name{padding:0;background:none;color:var(--ink);font-weight:600;font-size:.8125rem}
.type{color:var(--ink-3);font-size:.75rem;font-weight:400}
.required{color:var(--degraded);font-size:.75rem;font-weight:500}
.fields .limits{display:flex;flex-wrap:wrap;gap:0 8px;color:var(--ink-3);font-size:.75rem}
.limits code{color:var(--ink-2)}
.fields .values{display:flex;flex-wrap:wrap;gap:4px;margin-top:6px;font-size:.8125rem}
.values code{padding:0 6px;border:1px solid var(--line);border-radius:4px;background:var(--canvas);font-size:.6875rem;line-height:1.7}
.more{margin-top:8px}.more>summary{display:inline-flex;align-items:center;gap:6px;padding:3px 10px;border:1px solid var(--line-strong);border-radius:99px;color:var(--ink-2);font-size:.75rem;font-weight:500;cursor:pointer;list-style:none}
.more>summary::-webkit-details-marker{display:none}
.more>summary::before{content:"+";color:var(--ink-3)}.more[open]>summary::before{content:"\\2212"}
.more>summary:hover{border-color:var(--ink-3);color:var(--ink)}
.more>.fields{margin-top:8px;padding-inline:16px;border:1px solid var(--line);border-radius:11px}
.more.block{margin-top:12px}.more.block>.fields{padding:0;border:0}
.empty{padding:12px 0;font-size:.875rem}
.errors{display:flex;flex-wrap:wrap;gap:6px}
.errors a{padding:2px 8px;border:1px solid var(--line);border-radius:7px;color:var(--ink-2);font:.75rem/1.6 var(--mono)}
.errors a:hover{border-color:var(--accent-line);color:var(--accent)}
.errors b{font-weight:500;color:var(--ink)}
.codes{width:100%;margin-top:24px;border-collapse:collapse;font-size:.8125rem}
.codes th{padding:0 12px 8px 0;color:var(--ink-3);font-weight:500;text-align:start}
.codes td{padding:9px 12px 9px 0;border-top:1px solid var(--line);color:var(--ink-2);vertical-align:top}
.codes td:first-child{font-variant-numeric:tabular-nums;color:var(--ink)}
.codes tr{scroll-margin-top:80px}.codes tr:target td{background:var(--accent-soft)}
.codes td:nth-child(2) code,.events td code{white-space:nowrap}
.events td:first-child{color:var(--ink-2)}
`

const CODE = `
.code{display:grid;align-content:start;gap:16px;min-width:0;position:sticky;top:calc(var(--top) + 24px);align-self:start}
.card{min-width:0;border:1px solid var(--line);border-radius:11px;overflow:hidden;background:var(--canvas)}
figcaption{padding:9px 16px;border-bottom:1px solid var(--line);color:var(--ink-2);font-size:.75rem;font-weight:500}
.ok{margin-inline-end:4px;color:var(--up);font:600 .6875rem var(--mono)}
pre{max-height:min(26rem,60vh);padding:14px 16px;overflow:auto;font:.75rem/1.65 var(--mono);tab-size:2;scrollbar-width:thin;scrollbar-color:var(--line-strong) transparent}
pre code{font:inherit;letter-spacing:0}
pre:focus-visible{outline-offset:-2px;border-radius:11px}
pre i{font-style:normal}
pre .k{color:var(--ink)}pre .s{color:var(--up)}pre .n{color:var(--maint)}pre .l{color:var(--accent)}
pre{color:var(--ink-2)}
.routes{padding:8px}.routes a{display:flex;gap:10px;align-items:baseline;padding:5px 8px;border-radius:7px;font-size:.8125rem;color:var(--ink-2)}
.routes a:hover{background:var(--hover);color:var(--ink)}
.routes .method{width:3.8em}.routes code{overflow-wrap:anywhere}
`

const NARROW = `
@media (max-width:1180px){.op{grid-template-columns:minmax(0,1fr)}.code{position:static}.text{max-width:none}}
@media (max-width:860px){
:root{--top:52px}
.frame{display:block}.menu{display:inline-block}.spec{display:none}.ways{gap:12px}
.top{padding:0 16px}
nav{display:none}
nav:target{display:block;position:fixed;inset:0;z-index:9;height:auto;padding:16px 16px 64px;border:0;background:var(--surface);font-size:.9375rem}
nav li a{min-height:44px}nav .method{font-size:.6875rem}
nav .close{display:block;position:sticky;top:0;width:max-content;margin-inline-start:auto;background:var(--surface)}
nav h2:first-of-type{margin-top:-24px}
main{padding:0 16px 64px}
.op{padding:40px 0}
h1{font-size:1.625rem}h2{font-size:1.375rem}
.codes thead{display:none}.codes,.codes tbody,.codes tr,.codes td{display:block}
.codes tr{padding:12px 0;border-top:1px solid var(--line)}.codes td{padding:2px 0;border:0}
.codes td:first-child{float:inline-start;margin-inline-end:10px}.events td:first-child{float:none}
pre{max-height:22rem}
}
@media print{.top,nav,.menu{display:none}.frame,.op{display:block}pre{max-height:none;white-space:pre-wrap}}
`

export const docsStyle = (fontPath: string): string =>
  [fontsFrom(fontPath), TOKENS, GROUND, FRAME, SECTION, CODE, NARROW].join('').trim()
