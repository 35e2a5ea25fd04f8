import { slotOn } from '@qatra/contract/calendar/slot'
import { fils } from '@qatra/contract/lib/money'
import { beforeEach, describe, expect, it } from 'vitest'
import { emptyDraft, feeOf, readDraft, saveDraft, sumsOf } from './draft.ts'
import { checked, firstField } from './problems.ts'
import { spring, water } from './test-sale.ts'

beforeEach(() => window.sessionStorage.clear())

describe('draft', () => {
  const draft = {
    ...emptyDraft(),
    phone: '36000006',
    lines: [{ productId: 1, quantity: 3, customPrice: null, isPriced: false, reason: '' }],
  }

  it('uses the fee of the vendor until another is typed, and none before a vendor is chosen', () => {
    expect(feeOf(draft, { ...spring, deliveryFee: 0 })).toBe(0)
    expect(feeOf(draft, null)).toBeNull()
    expect(feeOf({ ...draft, fee: 2 }, spring)).toBe(2)
    expect(feeOf({ ...draft, fee: null }, spring)).toBeNull()
  })

  it('computes totals as the server does, and ignores invalid fields', () => {
    const products = new Map([[1, water]])
    expect(sumsOf(draft, products, spring)).toEqual({
      subtotal: fils(4515),
      deliveryFee: fils(1000),
      productVAT: fils(452),
      deposit: fils(0),
      total: fils(5967),
      missing: fils(485),
    })
    const wrong = { ...draft, fee: Number.NaN, lines: draft.lines.map((line) => ({ ...line, quantity: 101 })) }
    expect(sumsOf(wrong, products, spring).total).toBe(0)
  })

  it('belongs to one person, and invalid stored data is ignored', () => {
    saveDraft(1, draft)
    expect(readDraft(1)).toEqual(draft)
    expect(readDraft(2).phone).toBe('')
    window.sessionStorage.setItem('sale:3', '{')
    expect(readDraft(3).phone).toBe('')
    saveDraft(1, null)
    expect(readDraft(1).phone).toBe('')
  })

  it("is validated by the endpoint's schema, first field first", () => {
    const slot = { promised: slotOn('2026-11-22'), chosen: slotOn('2026-11-22') }
    const shown = { address: 'short', vendor: spring, slot }
    const { body, problems } = checked({ ...draft, name: 'ab' }, shown, (key) => key)
    expect(body).toBeNull()
    expect(problems).toMatchObject({
      customerName: 'validation.nameTooShort',
      block: 'validation.address',
      map: 'sale.error.address',
    })
    expect(firstField(problems)).toBe('customerName')
  })
})
