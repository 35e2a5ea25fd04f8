import type { BulkFailure } from '@qatra/contract/lib/upload'
import type { BottleType } from '@qatra/contract/products/bottle-types'
import { useQueryClient } from '@tanstack/react-query'
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { bottleTypesQuery } from '../../catalogue/admin/refresh-vendors.ts'
import { useForm } from '../../ui/admin/form/use-form.ts'
import { FailedRows } from '../../ui/admin/import/FailedRows.tsx'
import { failedCsv, reasonsByRow } from '../../ui/admin/import/failed-rows.ts'
import { renderInAdmin, setUpScreen } from '../../ui/admin/test-admin.tsx'
import { CardPreview, ProductForm } from './ProductForm.tsx'
import { bodyOf, emptyProduct, valuesOf } from './product-form.ts'

beforeEach(() => setUpScreen())
afterEach(cleanup)

const failed: BulkFailure[] = [
  { row: 3, field: 'price', reason: 'Enter a price', value: 'x' },
  { row: 3, field: 'size', reason: 'This field is required' },
  { row: 4, field: 'name', reason: 'The cell begins like a formula' },
]

const columns = ['vendorId', 'name', 'price'].map((field) => ({ heading: field, field }))
const nameOf = (field: string) => (field === 'price' ? 'السعر' : null)
const csvOf = (file: File, some = failed) => failedCsv(file, { failed: some, columns, reason: 'What is wrong', nameOf })

describe('CSV of failed rows', () => {
  it('holds the failed rows as sent, with their reasons and without formulas', async () => {
    const file = new File(
      ['\ufeffvendorId;name;price\r\n1;Good, better, best;1\r\n1;"Semi;colon";x\r\n1;=HACK();-5\r\n'],
      'products.csv',
    )
    const csv = await csvOf(file)
    expect(csv.split('\r\n')).toEqual([
      '\ufeffvendorId,name,price,What is wrong',
      '1,Semi;colon,x,السعر «x»: Enter a price · size: This field is required',
      "1,'=HACK(),-5,name: The cell begins like a formula",
      '',
    ])
  })

  it('finds the heading below a title, as the server does', async () => {
    const csv = await csvOf(new File(['Products, 2026\n\nvendorId;name;price\n1;a;x\n'], 'products.csv'), [
      { row: 4, field: 'price', reason: 'Enter a price' },
    ])
    expect(csv).toBe('\ufeffvendorId,name,price,What is wrong\r\n1,a,x,السعر: Enter a price\r\n')
  })

  it('holds only row numbers and reasons for a JSON file', async () => {
    const csv = await csvOf(new File(['[]'], 'a.json'))
    expect(csv.split('\r\n')[1]).toBe('3,السعر «x»: Enter a price · size: This field is required')
  })

  it('reads a UTF-16 file', async () => {
    const text = '\ufeffvendorId,name\n1,a\n1,مياه'
    const bytes = new Uint8Array(Uint16Array.from(text, (letter) => letter.charCodeAt(0)).buffer)
    expect(await csvOf(new File([bytes], 'a.csv'), failed.slice(0, 1))).toContain('1,مياه,')
  })

  it('reads a file in the Arabic encoding of Excel', async () => {
    const letters = [0xe3, 0xed, 0xc7, 0xe5] // مياه in windows-1256
    const bytes = Uint8Array.from([...'vendorId,name\n1,a\n1,'].map((each) => each.charCodeAt(0)).concat(letters))
    expect(await csvOf(new File([bytes], 'a.csv'), failed.slice(0, 1))).toContain('1,مياه,')
  })

  it('counts a row once, however many problems it has', () => {
    expect(reasonsByRow(failed).size).toBe(2)
  })
})

describe('problems of a file', () => {
  it('are listed by row and column, a hundred at a time', async () => {
    const many = Array.from({ length: 250 }, (_, i) => ({ row: i + 1, field: 'price', reason: `Reason ${i + 1}` }))
    await renderInAdmin(() => <FailedRows title="Problems" failed={many} nameOf={(field) => field} />)
    expect(screen.getAllByRole('row')).toHaveLength(101)
    const more = screen.getByRole('button', { name: /150/ })
    more.click()
    expect(await screen.findByText('Reason 250')).toBeTruthy()
  })

  it('are shown in Arabic', async () => {
    await renderInAdmin(() => <FailedRows title="Problems" failed={failed} nameOf={(field) => field} />, { lang: 'ar' })
    expect(screen.getByRole('columnheader', { name: 'السبب' })).toBeTruthy()
  })
})

describe('product form', () => {
  const values = {
    ...emptyProduct(1),
    name: 'Spring',
    nameAr: 'ينبوع',
    price: 1.5,
    size: '500ml',
    inventoryUnit: 'Carton',
  }

  it('shows the card of the shop while typing', async () => {
    await renderInAdmin(() => <CardPreview values={{ ...values, unitsPerInventoryUnit: 24 }} tint={null} />)
    for (const words of ['Spring', 'Carton of 24', /1\.500/]) expect(screen.getByText(words)).toBeTruthy()
  })

  it('shows no price while the price is invalid', async () => {
    await renderInAdmin(() => <CardPreview values={{ ...values, price: Number.NaN }} tint={null} />, { lang: 'ar' })
    expect(screen.getByText('ينبوع')).toBeTruthy()
    expect(screen.getByText('–')).toBeTruthy()
  })

  it('sends its values, without a vendor if none is selected', () => {
    expect(bodyOf(values)).toMatchObject({ vendorId: 1, price: 1.5 })
    expect(bodyOf(emptyProduct(null))).not.toHaveProperty('vendorId')
    const product = { ...values, id: 1, version: 3, nameAr: null, description: null, descriptionAr: null }
    const known = {
      ...product,
      imageUrl: null,
      picture: null,
      inventoryUnitAr: null,
      vatPercentage: 0,
      unitsPerInventoryUnit: 1,
      bottle: null,
    }
    const times = { createdAt: '', updatedAt: '' }
    expect(valuesOf({ ...known, ...times, vendorId: 1, price: 1.5 }).nameAr).toBe('')
  })

  it('offers the bottles of a vendor that exchanges them, and the one that the product has', async () => {
    const type: BottleType = {
      id: 5,
      vendorId: 1,
      name: 'Gallon',
      nameAr: 'غالون',
      deposit: 2,
      isActive: true,
      isOffered: true,
      productCount: 1,
      version: 3,
    }
    const render = (isOffered: boolean, bottle = '') =>
      renderInAdmin(() => {
        useQueryClient().setQueryData(bottleTypesQuery(1).queryKey, [{ ...type, isOffered }])
        const form = useForm({
          body: undefined,
          start: { ...values, bottle },
          toBody: bodyOf,
          send: (body) => Promise.resolve(sent(body)),
        })
        return <ProductForm form={form} label="Product" />
      })
    const sent = vi.fn()
    const options = () => screen.getAllByRole('option').map(({ textContent }) => textContent)
    await render(true)
    expect(options()).toEqual([
      'Without a bottle',
      'Exchange: Gallon, deposit BHD\u00a02.000',
      'Sold with the water: Gallon',
    ])
    fireEvent.change(screen.getByLabelText('Bottle'), { target: { value: 'exchange:5' } })
    expect(screen.getByText(/The bottle stays yours/)).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(sent.mock.lastCall?.[0]).toMatchObject({ bottle: { typeId: 5, terms: 'exchange' } }))
    cleanup()
    await render(false)
    expect(screen.queryByLabelText('Bottle')).toBeNull()
    cleanup()
    await render(false, 'sold:5')
    expect(options()).toEqual(['Without a bottle', 'Sold with the water: Gallon'])
  })
})
