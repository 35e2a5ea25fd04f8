import { getSite, type Site } from '@qatra/contract/settings/site'
import { cleanup, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type FakeShop, openShop, site, stubScreen, visit } from '../checkout/test-shop.tsx'
import { companyData } from '../products/head.ts'

const company: Site['company'] = {
  name: 'Spring Market W.L.L.',
  nameAr: 'سوق الينبوع ذ.م.م',
  address: 'Building 7',
  addressAr: 'مبنى 7',
  crNumber: '98214-1',
  vatNumber: '220004418700002',
}
const known: Site = {
  ...site,
  company,
  support: {
    phone: '+97317004420',
    whatsapp: '+97317004420',
    email: 'care@spring.example',
    hours: 'Saturday to Thursday',
    hoursAr: 'السبت إلى الخميس',
  },
  social: { instagram: 'https://instagram.example/spring', x: null, tiktok: null },
}

let shop: FakeShop
beforeEach(() => {
  stubScreen()
  shop = openShop()
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})
const footer = () => screen.getByRole('contentinfo')

describe('pages of a shop without company facts', () => {
  it.each(['/privacy', '/terms'])('%s has no contact and no empty place', async (path) => {
    await visit(path)
    expect(screen.queryByRole('heading', { name: 'Contact' })).toBeNull()
    expect(screen.queryByText(/contact us/)).toBeNull()
    expect(within(footer()).queryByText('Support')).toBeNull()
    expect(footer().textContent).not.toMatch(/CR|VAT/)
  })

  it('/about has no company section', async () => {
    await visit('/about')
    expect(screen.queryByRole('heading', { name: 'Company' })).toBeNull()
  })

  it('have structured data without blanks', () => {
    expect(companyData(site, 'en')).toEqual({})
  })
})

describe('pages of a shop with company facts', () => {
  beforeEach(() => shop.on(getSite, () => known))

  it.each([
    ['en', 'Spring Market W.L.L.', 'Saturday to Thursday'],
    ['ar', 'سوق الينبوع ذ.م.م', 'السبت إلى الخميس'],
  ] as const)('show them in the footer in the language %s', async (lang, name, hours) => {
    await visit('/about', lang)
    for (const text of [name, hours, '98214-1', '220004418700002']) expect(footer().textContent).toContain(text)
  })

  it('name each contact once on the privacy page', async () => {
    await visit('/privacy')
    const main = within(screen.getByRole('main'))
    expect(main.getByRole('heading', { name: 'Contact' })).toBeTruthy()
    expect(main.getByText(/Spring Market W\.L\.L\., Building 7/)).toBeTruthy()
    expect(main.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
      'tel:+97317004420',
      'mailto:care@spring.example',
    ])
    expect(main.getByText(/contact us/)).toBeTruthy()
  })

  it('have them in structured data in the language of the page', () => {
    expect(companyData(known, 'ar')).toEqual({
      legalName: 'سوق الينبوع ذ.م.م',
      address: { '@type': 'PostalAddress', streetAddress: 'مبنى 7', addressCountry: 'BH' },
      vatID: '220004418700002',
      telephone: '+97317004420',
      email: 'care@spring.example',
      sameAs: ['https://instagram.example/spring'],
    })
  })
})
