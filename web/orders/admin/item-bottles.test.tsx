import { cleanup } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { renderIn } from '../../ui/test-page.tsx'
import { ItemBottles } from './OrderParts.tsx'

afterEach(cleanup)
const order = {
  vendorTint: null,
  items: [
    {
      id: 1,
      name: 'Still water',
      nameAr: 'مياه',
      size: '500ml',
      quantity: 3,
      inventoryUnit: 'Carton',
      inventoryUnitAr: 'كرتون',
      unitsPerInventoryUnit: 24,
    },
  ],
}

it('ItemBottles names units and sizes to screen readers in the language of the page', async () => {
  const read = async (lang: 'ar' | 'en') => {
    const { container } = await renderIn(lang, <ItemBottles order={order} />)
    return container.querySelector('.sr-only')?.textContent
  }
  expect(await read('ar')).toBe('3 كراتين × 24 · مياه 500 مل')
  cleanup()
  expect(await read('en')).toBe('3 cartons of 24 · Still water 500 ml')
})
