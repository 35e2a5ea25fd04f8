import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { serverOnly } from './messages.ts'

const folder = resolve(import.meta.dirname, '../../contract/messages')
const features = [...new Set(readdirSync(folder).map((name) => name.replace(/\.(ar|en)\.json$/, '')))]
const keysOf = (feature: string, lang: string) =>
  Object.keys(JSON.parse(readFileSync(resolve(folder, `${feature}.${lang}.json`), 'utf8'))).sort()

describe('messages', () => {
  it.each(features)('of %s have the same keys in both languages', (feature) => {
    expect(keysOf(feature, 'en')).toEqual(keysOf(feature, 'ar'))
  })

  it('have a type for the keys of every file that pages use', () => {
    const types = readFileSync(resolve(import.meta.dirname, '../../contract/message-key.ts'), 'utf8')
    const listed = features.filter((feature) => types.includes(`messages/${feature}.ar.json`))
    expect(listed).toEqual(features.filter((feature) => !serverOnly.includes(feature)))
  })

  it.each(features)('of %s have all six plural forms in Arabic', (feature) => {
    const words: Record<string, string> = JSON.parse(readFileSync(resolve(folder, `${feature}.ar.json`), 'utf8'))
    for (const [key, text] of Object.entries(words)) {
      if (!/,\s*plural\s*,/.test(text)) continue
      for (const form of ['zero', 'one', 'two', 'few', 'many', 'other']) {
        expect(text, `${key} lacks ${form}`).toMatch(new RegExp(`\\b${form}\\s*\\{`))
      }
    }
  })
})
