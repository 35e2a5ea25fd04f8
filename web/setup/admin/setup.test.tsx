import { getSettings, type Settings } from '@qatra/contract/settings/settings'
import { getSetup, getShippedAreas, type SetupItem, setupKeys } from '@qatra/contract/settings/setup'
import { listManagedVendors } from '@qatra/contract/vendors/admin'
import { useQueryClient } from '@tanstack/react-query'
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { CallError, read } from '../../lib/api-client.ts'
import { renderInAdmin, setUpScreen } from '../../ui/admin/test-admin.tsx'
import { BackToSetup, useLeftStep } from './BackToSetup.tsx'
import { CompanyForm } from './CompanyForm.tsx'
import { page } from './SetupPage.tsx'
import { bodyOf, valuesOf } from './settings-values.ts'

const calls = vi.hoisted(() => ({ call: vi.fn<(endpoint: { path: string }, input: object) => Promise<unknown>>() }))
vi.mock('../../lib/api-client.ts', async (original) => ({ ...(await original<object>()), call: calls.call }))

const settings: Settings = {
  company: { name: 'Spring', nameAr: null, address: null, addressAr: null, crNumber: null, vatNumber: null },
  support: {
    phone: '+97317004420',
    whatsapp: null,
    email: null,
    hours: null,
    hoursAr: null,
  },
  social: { instagram: null, x: null, tiktok: null },
  apps: { ios: null, android: null },
  messagePrices: {},
  version: 3,
}

beforeEach(() => {
  setUpScreen()
  calls.call.mockReset()
})
afterEach(cleanup)
const type = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } })
const save = () => fireEvent.click(screen.getByRole('button', { name: 'Save' }))

describe('the company form', () => {
  it('sends what it shows, blank facts as null, with the version, and no prices', () => {
    const { messagePrices: _, ...facts } = settings
    expect(bodyOf(valuesOf(settings), settings.version)).toEqual(facts)
  })

  it('shows a wrong number beside its field and sends nothing', async () => {
    await renderInAdmin(() => <CompanyForm settings={settings} submit="Save" />)
    type('VAT number', '123')
    save()
    expect(await screen.findByText('The number is incomplete: 15 digits')).toBeTruthy()
    expect(screen.getByLabelText('VAT number').getAttribute('aria-invalid')).toBe('true')
    expect(calls.call).not.toHaveBeenCalled()
  })

  it('shows the server’s refusal of a fact beside its field', async () => {
    const details = { fields: { 'support.phone': 'Unknown number' } }
    calls.call.mockRejectedValue(new CallError(422, JSON.stringify({ code: 'INVALID_BODY', message: 'x', details })))
    await renderInAdmin(() => <CompanyForm settings={settings} submit="Save" />)
    type('Support phone', '17004421')
    save()
    expect(await screen.findByText('Unknown number')).toBeTruthy()
  })

  it('previews the footer while it is typed', async () => {
    await renderInAdmin(() => <CompanyForm settings={settings} submit="Save" />)
    type('CR number', '98214-1')
    expect(screen.getByRole('figure').textContent).toMatch(/SpringCR\s.98214-1/)
  })
})

function Bar() {
  const step = useLeftStep()
  return step && <BackToSetup step={step} />
}

describe('the checklist page', () => {
  const item = (key: SetupItem['key'], done = false): SetupItem => ({
    key,
    done,
    optional: key === 'customers' || key === 'telegram',
    link: '/admin/setup',
    count: 0,
    missing: key === 'company' ? ['company.name', 'contact'] : [],
  })
  const items = setupKeys.map((key) => item(key, key === 'account'))
  function Page() {
    const queries = useQueryClient()
    queries.setQueryData(read(getSettings).queryKey, settings)
    queries.setQueryData(read(getShippedAreas).queryKey, {
      count: 79,
      date: '2026-11-21',
      source: 'Outlines',
      sourceAr: 'حدود',
    })
    queries.setQueryData(read(listManagedVendors, { query: { limit: 100 } }).queryKey, {
      items: [],
      page: 1,
      limit: 100,
      total: 0,
    })
    queries.setQueryData(read(getSetup).queryKey, items)
    return <page.Component />
  }

  it('opens the first step that is not done and counts without the optional ones', async () => {
    await renderInAdmin(Page, { at: '/admin/setup', path: '/admin/setup' })
    expect(screen.getByText('1 of 8')).toBeTruthy()
    expect(screen.getByRole('heading', { level: 2, name: 'Areas of Bahrain' })).toBeTruthy()
    const current = screen.getAllByRole('link').filter((link) => link.getAttribute('aria-current') === 'step')
    expect(current.map((link) => link.textContent)).toEqual([expect.stringContaining('Areas of Bahrain')])
  })

  it('names what a step lacks, and remembers the step whose page is opened', async () => {
    await renderInAdmin(Page, { at: '/admin/setup?step=company', path: '/admin/setup' })
    const lacks = screen.getByText('Still to do:').parentElement
    expect([...(lacks?.querySelectorAll('li') ?? [])].map((one) => one.textContent)).toEqual([
      'Legal name in English',
      'Support phone or support WhatsApp',
    ])
    cleanup()
    await renderInAdmin(Page, { at: '/admin/setup?step=people', path: '/admin/setup' })
    fireEvent.click(screen.getByRole('link', { name: 'Users' }))
    expect(sessionStorage.getItem('setup-step')).toBe('people')
    cleanup()
    await renderInAdmin(Bar, { at: '/admin/users/new', path: '/admin/users/new' })
    expect(screen.getByRole('link', { name: 'Back to the set-up steps' }).getAttribute('href')).toBe(
      '/admin/setup?step=people',
    )
    fireEvent.click(screen.getByRole('button', { name: 'Close' }))
    expect(sessionStorage.getItem('setup-step')).toBeNull()
  })

  it('offers the import of customers as an optional step', async () => {
    await renderInAdmin(Page, { at: '/admin/setup?step=customers', path: '/admin/setup' })
    expect(screen.getByRole('link', { name: 'Customers' }).getAttribute('href')).toContain('/admin/customers')
    expect(screen.getByRole('link', { name: /Your customers/ }).textContent).toContain('Optional')
  })

  it('installs the areas by one press', async () => {
    calls.call.mockResolvedValue({ created: 79 })
    await renderInAdmin(Page, { at: '/admin/setup', path: '/admin/setup' })
    fireEvent.click(screen.getByRole('button', { name: 'Install 79 areas' }))
    await waitFor(() => expect(calls.call).toHaveBeenCalledOnce())
  })

  it('says why a test order cannot be placed yet', async () => {
    await renderInAdmin(Page, { at: '/admin/setup?step=testOrder', path: '/admin/setup' })
    const button = screen.getByRole('button', { name: 'Place a test order' })
    expect(button.getAttribute('aria-disabled')).toBe('true')
    expect(screen.getByText('First complete “A vendor with products”')).toBeTruthy()
  })
})
