import type { SetupGap, SetupKey } from '@qatra/contract/settings/setup'
import { describe, expect, it } from 'vitest'
import { checklistOf, type SetupFacts } from './rules.ts'

const nothing: SetupFacts = {
  settings: {
    company: { name: null, nameAr: null, address: null, addressAr: null, crNumber: null, vatNumber: null },
    support: { phone: null, whatsapp: null, email: null, hours: null, hoursAr: null },
  },
  areas: 0,
  vendors: 0,
  products: 0,
  hasOffer: false,
  hasDays: false,
  people: 0,
  hasImport: false,
  isWhatsappConnected: false,
  isTelegramLinked: false,
  testOrderId: null,
  isTested: false,
}
const company = { name: 'Q', nameAr: 'ق', address: 'A', addressAr: 'ع', crNumber: '1-1', vatNumber: null }
const settings = { company, support: { ...nothing.settings.support, whatsapp: '+97336000001' } }
const doneIn = (facts: Partial<SetupFacts>) =>
  checklistOf({ ...nothing, ...facts }).flatMap(({ key, done }) => (done ? [key] : []))

describe('the checklist', () => {
  it('of an empty installation has only the account done, and only customers and Telegram are optional', () => {
    expect(doneIn({})).toEqual(['account'])
    expect(checklistOf(nothing).flatMap(({ key, optional }) => (optional ? [key] : []))).toEqual([
      'customers',
      'telegram',
    ])
  })

  it.each<[string, Partial<SetupFacts>, string[]]>([
    ['areas', { areas: 1 }, ['areas']],
    ['company without a VAT number', { settings }, ['company']],
    ['company without an Arabic address', { settings: { ...settings, company: { ...company, addressAr: null } } }, []],
    ['company that nobody can reach', { settings: { ...nothing.settings, company } }, []],
    ['products without an area', { vendors: 1, products: 3 }, []],
    ['offer', { vendors: 1, products: 3, hasOffer: true }, ['vendor']],
    ['days', { hasDays: true }, ['days']],
    ['people', { people: 1 }, ['people']],
    ['imported customers', { hasImport: true }, ['customers']],
    ['WhatsApp', { isWhatsappConnected: true }, ['whatsapp']],
    ['Telegram', { isTelegramLinked: true }, ['telegram']],
    ['deleted test order', { isTested: true }, ['testOrder']],
    ['test order that still exists', { isTested: true, testOrderId: 'AAAA' }, []],
  ])('with %s', (_, facts, done) => {
    expect(doneIn(facts)).toEqual(['account', ...done])
  })

  it.each<[string, Partial<SetupFacts>, SetupKey, SetupGap[]]>([
    ['an empty shop', {}, 'vendor', ['vendor', 'product', 'vendorAreas']],
    ['a vendor without products', { vendors: 1 }, 'vendor', ['product', 'vendorAreas']],
    ['products without an area', { vendors: 1, products: 3 }, 'vendor', ['vendorAreas']],
    ['an offer', { vendors: 1, products: 3, hasOffer: true }, 'vendor', []],
    ['a complete company', { settings }, 'company', []],
    [
      'a company in Arabic only',
      { settings: { ...settings, company: { ...company, name: null, address: null } } },
      'company',
      ['company.name', 'company.address'],
    ],
    ['no areas', {}, 'areas', ['areas']],
    ['vendors that nobody chose days for', { vendors: 1 }, 'days', ['days']],
    ['an office without people', {}, 'people', ['person']],
    ['a shop that was not tried', {}, 'testOrder', ['testOrder']],
    ['a shop with its test order', { isTested: true, testOrderId: 'AAAA' }, 'testOrder', ['testOrderLeft']],
    ['a company that nobody can reach', { settings: { ...nothing.settings, company } }, 'company', ['contact']],
  ])('of %s names what is missing', (_, facts, key, missing) => {
    const item = checklistOf({ ...nothing, ...facts }).find((one) => one.key === key)
    expect(item).toMatchObject({ missing, done: missing.length === 0 })
  })

  it('links to the test order while it exists', () => {
    const [last] = checklistOf({ ...nothing, testOrderId: 'AAAA' }).slice(-1)
    expect(last).toMatchObject({ key: 'testOrder', link: '/admin/orders/AAAA', count: 1 })
  })
})
