// Reduces user agent strings to names that people recognize.
const BROWSERS: readonly [RegExp, string][] = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\/|FxiOS/, 'Firefox'],
  [/Chrome\/|CriOS/, 'Chrome'],
  [/Safari\//, 'Safari'],
]
const SYSTEMS: readonly [RegExp, string][] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
]
const PHONES = new Set(['iPhone', 'Android'])

/** `Firefox on Linux`; an unknown agent is shown as is. */
export function browserOf(agent: string): { name: string; isPhone: boolean } {
  const browser = BROWSERS.find(([sign]) => sign.test(agent))?.[1]
  const system = SYSTEMS.find(([sign]) => sign.test(agent))?.[1]
  const name = [browser, system].filter((word) => word !== undefined).join(' on ')
  return {
    name: browser === undefined ? agent || 'Unknown program' : name,
    isPhone: system !== undefined && PHONES.has(system),
  }
}
