import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { lockKeys, numberLockKeys, textLockSeeds } from './advisory-lock.ts'

const server = join(import.meta.dirname, '..')
const textsOf = (pattern: string) =>
  globSync(pattern, {
    cwd: server,
    exclude: ['migrations/**', 'node_modules/**', '**/*.test.ts', 'database/advisory-lock.ts'],
  }).map((path) => readFileSync(join(server, path), 'utf8'))

describe('advisory locks', () => {
  it.each(Object.entries({ lockKeys, numberLockKeys, textLockSeeds }))('of %s have different numbers', (_, numbers) => {
    const values: number[] = Object.values(numbers)
    expect(new Set(values).size).toBe(values.length)
  })

  it('in SQL files have the numbers that are listed for them', () => {
    const used = textsOf('**/*.sql').flatMap((text) =>
      [...text.matchAll(/advisory\w*\(\s*(\w+)\s*,/g)].map(([, key]) => Number(key)),
    )
    const { 'order-days': days, 'cash-day': cash, 'rows-in-order': rows } = numberLockKeys
    expect(new Set(used)).toEqual(new Set([days, cash, rows]))
  })

  it('in the sources are taken by their names', () => {
    const own = textsOf('**/*.ts').flatMap(
      (text) => text.match(/pg_\w*advisory\w*\(\s*(\d|hashtext|\$\{(?!lockKeys|numberLockKeys))/g) ?? [],
    )
    expect(own).toEqual([])
  })
})
