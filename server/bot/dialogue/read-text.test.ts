import { expect, it } from 'vitest'
import { withoutLabel } from './read-text.ts'

it.each([
  ['Forwarded: 4 cartons', '4 cartons'],
  ['Forwarded message\n4 cartons', '4 cartons'],
  ['*Forwarded* 4 cartons', '4 cartons'],
  ['محولة: ٤ كراتين هيرات', '٤ كراتين هيرات'],
  ['تمت إعادة التوجيه\n٤ كراتين', '٤ كراتين'],
  ['[10:42 AM, 11/21/2026] Ahmed: 4 cartons\n[10:43 AM, 11/21/2026] Ahmed: Hayrat', '4 cartons\nHayrat'],
  ['[21/11/2026, 10:42:15] أحمد علي: ٤ كراتين', '٤ كراتين'],
  ['21/11/2026, 10:42 - Ahmed: 4 cartons', '4 cartons'],
  ['٢١/١١/٢٠٢٦، ١٠:٤٢ م - أحمد: ٤ كراتين', '٤ كراتين'],
  ['> 4 cartons', '4 cartons'],
  ['4 cartons: 500ml', '4 cartons: 500ml'],
  ['note: forwarded by mail', 'note: forwarded by mail'],
  ['block 338: road 12', 'block 338: road 12'],
])('%j is read as %j', (text, expected) => {
  expect(withoutLabel(text)).toBe(expected)
})
