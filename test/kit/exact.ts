// The few checks that every shape is built from. Each names the place where a value is wrong.
import assert from 'node:assert/strict'

export type Check = (value: unknown, at: string) => void
export type Shape = Record<string, Check>

const ID = /^[a-z]{2,3}_[0-7][0-9a-hjkmnp-tv-z]{25}$/
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/

export const text: Check = (value, at) => assert.equal(typeof value, 'string', at)
export const flag: Check = (value, at) => assert.equal(typeof value, 'boolean', at)
export const whole: Check = (value, at) => assert.ok(Number.isInteger(value), `${at} is ${value}`)
export const time: Check = (value, at) => assert.match(String(value), TIME, at)
export const orNull =
  (check: Check): Check =>
  (value, at) =>
    value === null ? undefined : check(value, at)
export const oneOf =
  (...values: string[]): Check =>
  (value, at) =>
    assert.ok(values.includes(String(value)), `${at} is ${value}, not one of ${values}`)
export const id =
  (prefix: string): Check =>
  (value, at) => {
    assert.match(String(value), ID, at)
    assert.ok(String(value).startsWith(`${prefix}_`), `${at} is ${value}`)
  }
export const listOf =
  (check: Check): Check =>
  (value, at) => {
    assert.ok(Array.isArray(value), `${at} is not a list`)
    value.forEach((item, index) => check(item, `${at}.${index}`))
  }
export const exactly =
  (shape: Shape): Check =>
  (value, at) => {
    assert.ok(typeof value === 'object' && value !== null, `${at} is ${value}, not an object`)
    assert.deepEqual(Object.keys(value).toSorted(), Object.keys(shape).toSorted(), `keys of ${at}`)
    for (const [name, check] of Object.entries(shape))
      check((value as Record<string, unknown>)[name], `${at}.${name}`)
  }
export const stringMap: Check = (value, at) => {
  assert.ok(typeof value === 'object' && value !== null && !Array.isArray(value), at)
  for (const [name, member] of Object.entries(value)) text(member, `${at}.${name}`)
}
