import { createLucideIcon, type IconNode, type LucideIcon } from 'lucide-react'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import createIcon from './create-icon.ts'
import * as icons from './icons.tsx'

interface IconModule {
  default: LucideIcon
  __iconData: Parameters<typeof createIcon>[0]
}

const drawn: unknown[] = [icons.WhatsAppIcon, icons.TelegramIcon]
const names = Object.values(icons).flatMap((icon) =>
  !drawn.includes(icon) && 'displayName' in icon ? [String(icon.displayName)] : [],
)
const fileOf = (name: string) => name.replaceAll(/(?<=[a-z])(?=[A-Z0-9])/g, '-').toLowerCase()

describe('icons in the builds', () => {
  it('have the markup of Lucide’s factory', async () => {
    expect(names.length).toBeGreaterThan(30)
    for (const name of new Set(names)) {
      const lucide: IconModule = await import(`lucide-react/icons/${fileOf(name)}`)
      const Icon = createIcon(lucide.__iconData)
      for (const props of [{}, { size: 20, className: 'text-ink', 'aria-hidden': true, strokeWidth: 3 }])
        expect(renderToStaticMarkup(<Icon {...props} />)).toBe(
          renderToStaticMarkup(createElement(lucide.default, props)),
        )
    }
  })

  it('have the same markup for an own drawing', () => {
    const drawing: IconNode = [['path', { d: 'M3 21l1.7-4.6', key: 'bubble' }]]
    const Own = createIcon('bubble', drawing)
    const Lucide = createLucideIcon('bubble', drawing)
    expect(renderToStaticMarkup(<Own size={9} />)).toBe(renderToStaticMarkup(<Lucide size={9} />))
  })
})
