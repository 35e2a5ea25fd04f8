import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { emblems } from '@qatra/contract/vendors/emblems'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { VendorEmblem } from './VendorEmblem.tsx'

const drawings = readFileSync(resolve(import.meta.dirname, '../public/emblems.svg'), 'utf8')
const markupOf = (emblem: string | null) =>
  renderToStaticMarkup(<VendorEmblem emblem={emblem} tint="#14708f" name="Al Hayrat" />)

describe('the emblem of a vendor', () => {
  it.each(emblems)('%s refers to a drawing in the sprite', (emblem) => {
    expect(drawings).toContain(`<symbol id="${emblem}" viewBox="0 0 48 48">`)
    expect(markupOf(emblem)).toContain(`<use href="/emblems.svg#${emblem}">`)
  })

  it.each([null, 'constructor', 'palm'])('is the initials if the stored emblem is %s', (emblem) => {
    expect(markupOf(emblem)).not.toContain('<use')
    expect(markupOf(emblem)).toContain('A\u200cH')
  })
})
