import { expect, it } from 'vitest'
import { governorateOf, governorates } from './governorates.ts'

const at = (areaId: string, lat: number, lng: number) => ({ areaId, centre: { lat, lng } })
const [seef, arad, riffa] = [at('seef', 26.239, 50.5385), at('arad', 26.251, 50.6315), at('west-riffa', 26.1255, 50.54)]

it('an area belongs to the governorate of its code, an area without a known code to that of its nearest neighbour', () => {
  expect([seef, arad, riffa].map((area) => governorateOf(area, []))).toEqual(['capital', 'muharraq', 'southern'])
  expect(governorateOf(at('new-town', 26.25, 50.64), [seef, arad, riffa])).toBe('muharraq')
  expect(governorateOf(at('new-town', 26.11, 50.55), [seef, arad, at('other', 26.11, 50.55), riffa])).toBe('southern')
  expect(governorates).toContain(governorateOf(at('new-town', 26, 50), []))
})
