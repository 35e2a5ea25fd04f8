import { listManagedAreas, type ManagedArea } from '@qatra/contract/places/areas-admin'
import type { BottleType } from '@qatra/contract/products/bottle-types'
import type { ManagedVendor } from '@qatra/contract/vendors/admin'
import { type Business, getBusiness } from '@qatra/contract/vendors/business'
import { useQueryClient } from '@tanstack/react-query'
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { bottleTypesQuery } from '../../catalogue/admin/refresh-vendors.ts'
import { CallError, read } from '../../lib/api-client.ts'
import { renderInAdmin, setUpScreen } from '../../ui/admin/test-admin.tsx'
import { Toasts } from '../../ui/Toast.tsx'
import { AreasOfVendor } from './AreasOfVendor.tsx'
import { BottleTypes } from './BottleTypes.tsx'
import { BusinessPart } from './BusinessPart.tsx'
import { VendorForm } from './VendorForm.tsx'

const calls = vi.hoisted(() => ({ call: vi.fn<(endpoint: { path: string }, input: object) => Promise<unknown>>() }))
vi.mock('../../lib/api-client.ts', async (original) => ({ ...(await original<object>()), call: calls.call }))
vi.mock('../../map/admin/MapFrame.tsx', () => ({ MapFrame: () => <p>The map</p> }))

const vendor: ManagedVendor = {
  id: 2,
  name: 'Ghaima',
  nameAr: 'غيمة',
  logoUrl: null,
  logo: null,
  description: null,
  descriptionAr: null,
  deliveryFee: 0.5,
  minDeliveryAmount: 4,
  whatsappLink: null,
  contactNumber: '+97336001002',
  isActive: true,
  tint: '#6f63a8',
  emblem: 'cloud',
  cutOff: null,
  promisedDate: '2026-11-22',
  companyName: null,
  companyNameAr: null,
  companyAddress: null,
  companyAddressAr: null,
  crNumber: null,
  vatNumber: null,
  areaIds: [1, 2],
  productCount: 3,
  version: 7,
  customPriceFloor: null,
  daysChosen: true,
  createdAt: '',
  updatedAt: '',
  can: { activate: false, remove: false },
}
const area = (id: number, name: string): ManagedArea => ({
  id,
  areaId: name,
  name,
  nameAr: null,
  oldDbId: null,
  createdAt: '',
  vendorIds: [],
  centre: { lat: 26, lng: 50 },
  geometry: { type: 'Polygon', coordinates: [] },
})

beforeEach(() => {
  setUpScreen()
  calls.call.mockReset()
})
afterEach(cleanup)

describe('vendor form', () => {
  it('updates the preview while the fee is typed', async () => {
    await renderInAdmin(() => <VendorForm vendor={vendor} onSaved={() => {}} />)
    expect(screen.getByRole('figure').textContent).toMatch(/BHD\s0\.500/)
    fireEvent.change(screen.getByLabelText('Delivery fee'), { target: { value: '٠٫٧٥' } })
    expect(screen.getByRole('figure').textContent).toMatch(/BHD\s0\.750/)
    fireEvent.change(screen.getByLabelText('Delivery fee'), { target: { value: '0' } })
    expect(screen.getByRole('figure').textContent).toContain('Free delivery')
  })

  it('sends changed fields with the version, and null for empty texts', async () => {
    calls.call.mockResolvedValue(vendor)
    const saved = vi.fn()
    const older = { ...vendor, vatNumber: 'BH-VAT 12' }
    await renderInAdmin(() => <VendorForm vendor={older} onSaved={saved} />)
    fireEvent.change(screen.getByLabelText('Delivery fee'), { target: { value: '0.75' } })
    fireEvent.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(saved).toHaveBeenCalled())
    expect(calls.call.mock.lastCall?.[1]).not.toHaveProperty('body.vatNumber')
    expect(calls.call.mock.lastCall?.[1]).toMatchObject({
      params: { id: '2' },
      body: { deliveryFee: 0.75, version: 7, whatsappLink: null, companyName: null },
    })
    expect(calls.call.mock.lastCall?.[1]).not.toHaveProperty('body.isActive')
  })

  it('marks a fee with four decimals and an invalid phone, and sends nothing', async () => {
    await renderInAdmin(() => <VendorForm vendor={null} onSaved={() => {}} />)
    fireEvent.change(screen.getByLabelText('Name in English'), { target: { value: 'Naseem' } })
    fireEvent.change(screen.getByLabelText('Phone'), { target: { value: '12' } })
    fireEvent.change(screen.getByLabelText('Delivery fee'), { target: { value: '0.1234' } })
    fireEvent.click(screen.getByRole('button', { name: 'Add vendor' }))
    expect(screen.getByLabelText('Phone').getAttribute('aria-invalid')).toBe('true')
    expect(screen.getByLabelText('Delivery fee').getAttribute('aria-invalid')).toBe('true')
    expect(calls.call).not.toHaveBeenCalled()
  })

  it('reports a version conflict and keeps the input', async () => {
    calls.call.mockRejectedValue(
      new CallError(409, JSON.stringify({ code: 'VERSION_CONFLICT', message: 'x', details: {} })),
    )
    await renderInAdmin(() => <VendorForm vendor={vendor} onSaved={() => {}} />)
    fireEvent.change(screen.getByLabelText('Delivery fee'), { target: { value: '0.8' } })
    fireEvent.click(screen.getByRole('button', { name: 'Save' }))
    await screen.findByText(/Somebody else/i)
    expect(screen.getByLabelText<HTMLInputElement>('Delivery fee').value).toMatch(/^0\.8/)
  })
})

describe('areas of a vendor', () => {
  function Areas() {
    useQueryClient().setQueryData(read(listManagedAreas).queryKey, [
      area(1, 'Seef'),
      area(2, 'Adliya'),
      area(3, 'Zinj'),
    ])
    return <AreasOfVendor vendor={vendor} />
  }

  it('are selected in a list, summarised before saving, and sent as a whole', async () => {
    calls.call.mockResolvedValue([])
    await renderInAdmin(Areas)
    fireEvent.click(screen.getByRole('checkbox', { name: 'Zinj' }))
    fireEvent.click(screen.getByRole('checkbox', { name: 'Seef' }))
    expect(screen.getByText(/1 added, 1 removed/)).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: 'Save areas' }))
    await waitFor(() => expect(calls.call).toHaveBeenCalled())
    expect(calls.call.mock.lastCall?.[1]).toEqual({ params: { id: '2' }, body: { areaIds: [2, 3] } })
  })

  it('are selected and deselected by governorate', async () => {
    calls.call.mockResolvedValue([])
    await renderInAdmin(Areas)
    const capital = screen.getByRole<HTMLInputElement>('checkbox', { name: /^Capital Governorate/ })
    expect([capital.checked, capital.indeterminate]).toEqual([false, true])
    fireEvent.click(capital)
    expect([capital.checked, capital.indeterminate]).toEqual([true, false])
    fireEvent.click(screen.getByRole('button', { name: 'Save areas' }))
    await waitFor(() => expect(calls.call).toHaveBeenCalled())
    expect(calls.call.mock.lastCall?.[1]).toEqual({ params: { id: '2' }, body: { areaIds: [1, 2, 3] } })
    fireEvent.click(capital)
    expect(screen.getByText('Choose at least one area')).toBeTruthy()
  })

  it('cannot be empty; the button shows the reason', async () => {
    await renderInAdmin(Areas)
    fireEvent.click(screen.getByRole('button', { name: 'Clear all' }))
    expect(screen.getByText('Choose at least one area')).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: 'Save areas' }))
    expect(calls.call).not.toHaveBeenCalled()
  })
})

describe('the business of a vendor', () => {
  const untouched: Business = {
    bottles: false,
    areaDays: false,
    capacity: false,
    standingOrders: false,
    accounts: false,
    means: ['cash'],
    bottleDifference: 'at-once',
    refundChoice: false,
    processing: true,
    limits: { driver: 1 },
    version: 0,
  }
  const key = read(getBusiness, { params: { id: '2' } }).queryKey
  const Part = () => (
    <>
      <BusinessPart vendorId={2} />
      <Toasts />
    </>
  )
  async function open() {
    let kept = untouched
    calls.call.mockImplementation((_, input) => {
      const { body } = input as { body: Partial<Business> }
      kept = { ...kept, ...body, version: kept.version + 1 }
      return Promise.resolve(kept)
    })
    const { queries } = await renderInAdmin(() => {
      const client = useQueryClient()
      if (!client.getQueryData(key)) client.setQueryData(key, untouched)
      return <Part />
    })
    return () => queries.getQueryData(key)
  }

  it('saves the means of payment that drivers take and the limits of refunds, and takes the change back on request', async () => {
    const kept = await open()
    expect(screen.queryByLabelText('On account')).toBeNull()
    expect(screen.getByText('Nothing has changed yet')).toBeTruthy()
    fireEvent.click(screen.getByLabelText('BenefitPay'))
    fireEvent.click(screen.getByLabelText('We process orders in a step of its own'))
    fireEvent.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(kept()).toMatchObject({ means: ['cash', 'benefitpay'], version: 1 }))
    expect(calls.call.mock.lastCall?.[1]).toEqual({
      params: { id: '2' },
      body: {
        means: ['cash', 'benefitpay'],
        limits: { driver: 1 },
        processing: false,
        bottles: false,
        bottleDifference: 'at-once',
        refundChoice: false,
        version: 0,
      },
    })
    fireEvent.click(screen.getByRole('button', { name: 'Undo' }))
    await waitFor(() => expect(kept()).toMatchObject({ means: ['cash'], processing: true, version: 2 }))
    expect(screen.getByLabelText<HTMLInputElement>('BenefitPay').checked).toBe(false)
    // An empty field is no limit. Limits of roles that cannot refund are not shown, and stay.
    const limitOf = (label: string, typed: string) =>
      fireEvent.change(screen.getByLabelText(label), { target: { value: typed } })
    limitOf('Vendor staff', '٥')
    limitOf('Vendor admin', '-1')
    fireEvent.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(screen.getByLabelText('Vendor admin').getAttribute('aria-invalid')).toBe('true'))
    limitOf('Vendor admin', '')
    fireEvent.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(kept()).toMatchObject({ limits: { driver: 1, vendor_staff: 5 }, version: 3 }))
  })

  it('keeps at least one means, and reports that somebody else has changed it', async () => {
    await open()
    fireEvent.click(screen.getByLabelText('Cash'))
    fireEvent.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Choose at least one means of payment')).toBeTruthy()
    expect(calls.call).not.toHaveBeenCalled()
    calls.call.mockRejectedValue(
      new CallError(409, JSON.stringify({ code: 'VERSION_CONFLICT', message: 'x', details: { version: 3 } })),
    )
    fireEvent.click(screen.getByLabelText('Card'))
    fireEvent.click(screen.getByRole('button', { name: 'Save' }))
    await screen.findByText(/Somebody else/i)
    expect(screen.getByLabelText<HTMLInputElement>('Card').checked).toBe(true)
  })

  it('says what exchanging bottles changes, and keeps the types of bottles once it is on', async () => {
    const type: BottleType = {
      id: 5,
      vendorId: 2,
      name: 'Gallon',
      nameAr: null,
      deposit: 2,
      isActive: true,
      isOffered: true,
      productCount: 1,
      version: 3,
    }
    await open()
    expect(screen.queryByText('Types of bottles')).toBeNull()
    expect(screen.getByText(/No product asks for empties/)).toBeTruthy()
    fireEvent.click(screen.getByLabelText('We exchange bottles'))
    for (const who of [/^Customers/, /^Drivers count/, /^The office/]) expect(screen.getByText(who)).toBeTruthy()
    fireEvent.change(screen.getByLabelText('When the count at the door differs'), { target: { value: 'owed' } })
    expect(screen.getByText(/the balance shows the difference/)).toBeTruthy()
    fireEvent.click(screen.getByLabelText('Drivers may pay back deposits'))
    expect(screen.getByText(/now or as credit/)).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: 'Save' }))
    const body = { bottles: true, bottleDifference: 'owed', refundChoice: true }
    await waitFor(() => expect(calls.call.mock.lastCall?.[1]).toMatchObject({ body }))
    cleanup()

    await renderInAdmin(() => {
      const client = useQueryClient()
      client.setQueryData(bottleTypesQuery(2).queryKey, [type])
      return <BottleTypes vendorId={2} />
    })
    expect(screen.getByText(/in 1 product/).textContent).toContain('2.000')
    fireEvent.click(screen.getByRole('button', { name: 'Edit Gallon' }))
    fireEvent.click(screen.getByLabelText('In use'))
    expect(screen.getByText(/sold without empties and deposit/)).toBeTruthy()
    calls.call.mockResolvedValue({ ...type, isActive: false })
    fireEvent.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() =>
      expect(calls.call.mock.lastCall?.[1]).toEqual({
        params: { id: '5' },
        body: { name: 'Gallon', nameAr: '', deposit: 2, isActive: false, version: 3 },
      }),
    )
  })
})
