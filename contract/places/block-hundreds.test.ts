import { describe, expect, it } from 'vitest'
import { areasOfBlock, blockDoubt, blockNumberIn, hundredsOf } from './block-hundreds.ts'
import { governorateByCode } from './governorates.ts'

const seef = { areaCode: 'seef', pinBlock: null }

describe('the hundreds of an area', () => {
  it('are known for shipped areas only, at most two for each', () => {
    const codes = [...governorateByCode.keys()]
    expect(codes.filter((code) => hundredsOf(code).length > 0)).toHaveLength(84)
    expect(codes.every((code) => hundredsOf(code).length <= 2)).toBe(true)
    expect([hundredsOf('seef'), hundredsOf('hidd'), hundredsOf('hamad-town')]).toEqual([[4], [1], [10, 12]])
  })

  it('are unknown for an area that the source does not name and for an area of an operator', () => {
    expect([hundredsOf('reef-island'), hundredsOf('my-area'), hundredsOf('')]).toEqual([[], [], []])
  })
})

describe('the doubt about a typed block', () => {
  it.each(['428', '436', ' 428 ', '٤٢٨', '۴۲۸'])('does not exist for %s in Seef', (typed) => {
    expect(blockDoubt(typed, seef)).toBeNull()
  })

  it.each(['338', '٣٣٨', '1203', '104'])('names the hundreds of Seef for %s', (typed) => {
    expect(blockDoubt(typed, seef)).toEqual({ hundreds: [4] })
  })

  it('does not exist for a number that is still being typed, a text, or an area without known hundreds', () => {
    for (const typed of ['', '4', '33', '33a', 'block', '042', '12345']) {
      expect(blockNumberIn(typed)).toBeNull()
      expect(blockDoubt(typed, seef)).toBeNull()
    }
    expect(blockDoubt('338', { areaCode: 'my-area', pinBlock: null })).toBeNull()
    expect(blockDoubt('338', { areaCode: null, pinBlock: null })).toBeNull()
  })

  it('follows the imported block of the pin, which outweighs the hundreds', () => {
    expect(blockDoubt('338', { areaCode: 'seef', pinBlock: 338 })).toBeNull()
    expect(blockDoubt('436', { areaCode: 'seef', pinBlock: 428 })).toEqual({ pinBlock: 428 })
  })
})

it('a block number names the areas of its hundred', () => {
  const areas = ['seef', 'sanabis', 'hidd', 'hamad-town', 'unlisted'].map((areaId) => ({ areaId }))
  const found = (typed: string) => areasOfBlock(typed, areas)?.map(({ areaId }) => areaId)
  expect(found('428')).toEqual(['seef', 'sanabis'])
  expect(found('٤٢٨')).toEqual(['seef', 'sanabis'])
  for (const typed of ['مجمع 428', 'المجمع ٤٢٨', 'Block 428', 'block no. 428', 'blk428'])
    expect(found(typed)).toEqual(['seef', 'sanabis'])
  expect(found('1203')).toEqual(['hamad-town'])
  expect(found('1105')).toEqual([])
  for (const typed of ['Seef', '42', '', '42800']) expect(areasOfBlock(typed, areas)).toBe(null)
})
