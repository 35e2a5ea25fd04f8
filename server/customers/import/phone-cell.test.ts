import { describe, expect, it } from 'vitest'
import { readPhoneCell, readPhonesCell } from './phone-cell.ts'

it.each([
  ['36001234', '+97336001234'],
  ['٣٦٠٠١٢٣٤', '+97336001234'],
  ['۳۶۰۰۱۲۳۴', '+97336001234'],
  ['٣٦00۱۲34', '+97336001234'],
  ['+973 3600-1234', '+97336001234'],
  ['00973 3600 1234', '+97336001234'],
  ['97336001234', '+97336001234'],
  ['36001234.0', '+97336001234'],
  ['36001234,00', '+97336001234'],
  ['٣٦٠٠١٢٣٤٫٠', '+97336001234'],
  ['9.7336001234E+10', '+97336001234'],
  ['9,7336001234e10', '+97336001234'],
  ['٩٫٧٣٣٦٠٠١٢٣٤E+١٠', '+97336001234'],
  ['\u202a+973 3600 1234\u202c', '+97336001234'],
])('a cell %j is the phone %s', (cell, phone) => {
  expect(readPhoneCell(cell)).toEqual({ phone })
})

it.each([
  ['9.7336E+10', 'customerFile.shortened'],
  ['9.73E10', 'customerFile.shortened'],
  ['1E+11', 'customerFile.shortened'],
  ['9.73360012345E+10', 'validation.phoneBadCharacters'],
  ['36001234.5', 'validation.phoneBadCharacters'],
  ['36001234 / 39001234', 'validation.phoneBadCharacters'],
  ['3600', 'validation.phoneTooShort'],
  ['9733600123412345', 'validation.phoneTooLong'],
  ['phone', 'validation.phoneBadCharacters'],
])('a cell %j is refused: %s', (cell, problem) => {
  expect(readPhoneCell(cell)).toEqual({ problem })
})

describe('a cell with several numbers', () => {
  it.each([
    ['17001234 / 36001234', '+97336001234', ['+973 1700 1234']],
    ['37075630، 37905487', '+97337075630', ['+973 3790 5487']],
    ['36001234 37905487', '+97336001234', ['+973 3790 5487']],
    ['36001234-37905487', '+97336001234', ['+973 3790 5487']],
    ['+973 3600 1234 / بيت ٣٧٩٠٥٤٨٧', null, []],
    ['36001234 / الزوجة', '+97336001234', ['الزوجة']],
    ['36001234 / 36001234', '+97336001234', []],
    ['3600 1234', '+97336001234', []],
    ['36001234 / 12', null, []],
  ])('%j', (cell, phone, others) => {
    const read = readPhonesCell(cell)
    expect('phone' in read ? [read.phone, read.others] : [null, []]).toEqual([phone, others])
  })
})
