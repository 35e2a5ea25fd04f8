import { createProduct } from '@qatra/contract/products/admin'
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { CallError } from '../../../lib/api-client.ts'
import { noteConnection } from '../../../lib/connection.ts'
import { Button } from '../../Button.tsx'
import { TextField } from '../../Field.tsx'
import { ConfirmDialog } from '../ConfirmDialog.tsx'
import { renderInAdmin, setUpScreen } from '../test-admin.tsx'
import { Combobox } from './Combobox.tsx'
import { FileDrop } from './FileDrop.tsx'
import { Form } from './Form.tsx'
import { CheckboxField, MoneyField, NumberField, numberIn, SelectField, SwitchField } from './fields.tsx'
import { DraftOf, useForm } from './use-form.ts'

const sizes = [
  { value: '330ml', label: '330 ml' },
  { value: '1.5L', label: '1.5 L' },
]

function ProductForm({ send }: { send(body: unknown): Promise<unknown> }) {
  const form = useForm({
    body: createProduct.body,
    start: { name: '', price: null as number | null, size: null as string | null, isActive: true },
    toBody: (values) => ({ ...values, price: values.price ?? Number.NaN, size: values.size ?? '' }),
    send,
  })
  return (
    <Form form={form} label="Product">
      <TextField label="Name" {...form.text('name')} />
      <MoneyField label="Price" {...form.field('price')} />
      <SelectField label="Size" placeholder="Choose" options={sizes} {...form.field('size')} />
      <SwitchField label="Offered" {...form.field('isActive')} />
      <Button type="submit" busy={form.busy}>
        Save
      </Button>
    </Form>
  )
}
const fill = (name: string, value: string) => fireEvent.change(screen.getByLabelText(name), { target: { value } })
const save = async () => {
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  await act(async () => {})
}
const refusal = (status: number, code: string, details: object = {}) =>
  new CallError(status, JSON.stringify({ code, message: code, details }))
const alerts = () => screen.getAllByRole('alert').map(({ textContent }) => textContent)
const offline = 'No connection. What you type stays here; save it when you are online again.'
const filled = () => {
  fill('Name', 'Hayrat')
  fill('Price', '١٫٥')
  fill('Size', '330ml')
}

beforeEach(() => setUpScreen())
afterEach(cleanup)

it('a draft of what was typed is kept in the browser until it is saved', async () => {
  const send = vi.fn(async () => ({}))
  const show = (about: string) =>
    renderInAdmin(() => (
      <DraftOf value={about}>
        <ProductForm send={send} />
      </DraftOf>
    ))
  const nameIs = () => screen.getByLabelText<HTMLInputElement>('Name').value
  await show('setup.vendor')
  filled()
  cleanup()
  await show('setup.people')
  expect(nameIs()).toBe('')
  cleanup()
  await show('setup.vendor')
  expect(nameIs()).toBe('Hayrat')
  await save()
  expect(send).toHaveBeenCalledTimes(1)
  cleanup()
  await show('setup.vendor')
  expect(nameIs()).toBe('')
})

describe('useForm', () => {
  it("validates with the endpoint's schema, shows the error at its field and focuses it", async () => {
    const send = vi.fn(() => Promise.resolve({}))
    await renderInAdmin(() => <ProductForm send={send} />)
    fill('Price', '1.2345')
    await save()
    expect(send).not.toHaveBeenCalled()
    expect(alerts()[0]).toBe('Please check the marked fields.')
    expect(document.activeElement).toBe(screen.getByLabelText('Name'))
    expect(screen.getByLabelText('Price').getAttribute('aria-invalid')).toBe('true')
    fill('Name', 'Hayrat')
    expect(screen.getByLabelText('Name').getAttribute('aria-invalid')).toBeNull()
  })

  it('keeps the focus in a corrected field while another field is in error', async () => {
    await renderInAdmin(() => <ProductForm send={() => Promise.resolve({})} />)
    await save()
    fill('Name', 'Hayrat')
    expect(screen.getByLabelText('Price').getAttribute('aria-invalid')).toBe('true')
    expect(document.activeElement).toBe(screen.getByLabelText('Name'))
  })

  it('sends the values with any digit script, and is clean afterwards', async () => {
    const send = vi.fn(() => Promise.resolve({}))
    const { go } = await renderInAdmin(() => <ProductForm send={send} />)
    filled()
    fireEvent.click(screen.getByRole('switch', { name: 'Offered' }))
    await save()
    expect(send).toHaveBeenCalledExactlyOnceWith({ name: 'Hayrat', price: 1.5, size: '330ml', isActive: false })
    await go('/elsewhere')
    expect(screen.getByText('Elsewhere')).toBeTruthy()
  })

  it.each([
    [refusal(422, 'INVALID_BODY', { fields: { 'name.0': 'Taken' } }), ['Please check the marked fields.', 'Taken']],
    [
      refusal(409, 'VERSION_CONFLICT'),
      ['Somebody else changed this first. Reload to see the change, then make yours again.'],
    ],
    [new CallError(0, ''), [offline]],
    [refusal(500, 'INTERNAL'), ['Nothing was saved. Please try again.']],
  ])('says what the server refused and keeps what was typed: %s', async (error, words) => {
    await renderInAdmin(() => <ProductForm send={() => Promise.reject(error)} />)
    filled()
    await save()
    expect(alerts().filter(Boolean)).toEqual(words)
    expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('Hayrat')
  })

  it('says that there is no connection for as long as there is none, and keeps what was typed', async () => {
    await renderInAdmin(() => <ProductForm send={() => Promise.reject(new CallError(0, ''))} />)
    filled()
    act(() => noteConnection(false))
    expect(alerts().filter(Boolean)).toEqual([offline])
    await save()
    expect(alerts().filter(Boolean)).toEqual([offline])
    act(() => noteConnection(true))
    expect(alerts().filter(Boolean)).toEqual([])
    expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('Hayrat')
  })

  it('asks before unsaved changes are lost', async () => {
    const { router } = await renderInAdmin(() => <ProductForm send={() => Promise.resolve({})} />)
    fill('Name', 'Hayrat')
    const leave = () => act(async () => void router.navigate({ to: '/elsewhere' as '/' }))
    await leave()
    await waitFor(() => expect(screen.getByText('Leave without saving?')).toBeTruthy())
    fireEvent.click(screen.getByRole('button', { name: 'Stay here', hidden: true }))
    await act(async () => {})
    expect(router.state.location.pathname).toBe('/here')
    await leave()
    await waitFor(() => expect(screen.getByText('Leave without saving?')).toBeTruthy())
    fireEvent.click(screen.getByRole('button', { name: 'Leave without saving', hidden: true }))
    await waitFor(() => expect(screen.getByText('Elsewhere')).toBeTruthy())
  })
})

describe('number fields', () => {
  it('accept three digit scripts, both decimal points and any grouping', () => {
    expect(['1.500', '١٬٢٣٤٫٥', '۱۲', ' 7 ', '.5', '', '-3'].map(numberIn)).toEqual([1.5, 1234.5, 12, 7, 0.5, null, -3])
    for (const text of ['abc', '1.2.3', '1e5', '--1']) expect(numberIn(text)).toBeNaN()
  })

  it('report invalid input, and format the value on blur', async () => {
    function Fields() {
      const [value, setValue] = useState<number | null>(1.5)
      return (
        <>
          <MoneyField label="Price" value={value} onChange={setValue} />
          <NumberField label="Same" value={value} onChange={setValue} />
        </>
      )
    }
    await renderInAdmin(() => <Fields />)
    const price = screen.getByLabelText<HTMLInputElement>('Price')
    expect(price.value).toBe('1.500')
    fill('Price', 'much')
    expect(alerts()).toContain('Enter a number.')
    fill('Price', '٢')
    expect(screen.getByLabelText<HTMLInputElement>('Same').value).toBe('2')
    fireEvent.blur(price)
    expect(price.value).toBe('2.000')
  })
})

const areas = [
  { value: 1, label: 'السيف', also: 'Seef', hint: '428' },
  { value: 2, label: 'الحدّ', also: 'Hidd' },
  { value: 3, label: 'المحرق', also: 'Muharraq' },
]

describe('a combobox', () => {
  function Areas() {
    const [value, setValue] = useState<number | null>(null)
    return (
      <>
        <Combobox label="Area" value={value} onChange={setValue} options={areas} />
        <output>{String(value)}</output>
      </>
    )
  }
  const field = () => screen.getByRole<HTMLInputElement>('combobox')
  const key = (name: string) => fireEvent.keyDown(field(), { key: name })
  const type = (value: string) => fireEvent.input(field(), { target: { value }, inputType: 'insertText' })
  const options = () => screen.getAllByRole('option')
  const hasValue = (text: string) => waitFor(() => expect(field().value).toBe(text))

  it('finds options by either name and without diacritics, by keyboard', async () => {
    await renderInAdmin(() => <Areas />)
    type('الحد')
    await waitFor(() => expect(options().map(({ textContent }) => textContent)).toEqual(['الحدّ']))
    type('a')
    await waitFor(() => expect(options()).toHaveLength(1))
    expect(field().getAttribute('aria-activedescendant')).toBe(options()[0]?.id)
    key('Enter')
    await hasValue('المحرق')
    expect(screen.getByText('3', { selector: 'output' })).toBeTruthy()
  })

  it('keeps the value on Escape and when its text is deleted, and clears it by the button', async () => {
    await renderInAdmin(() => <Areas />)
    type('a')
    await waitFor(() => expect(options()).toHaveLength(1))
    key('Enter')
    await hasValue('المحرق')
    type('xyz')
    await screen.findByText('Nothing matches.')
    key('Escape')
    await hasValue('المحرق')
    type('')
    key('Escape')
    await hasValue('المحرق')
    key('Escape')
    expect(screen.getByText('3', { selector: 'output' })).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: 'Clear' }))
    await hasValue('')
    expect(screen.getByText('null', { selector: 'output' })).toBeTruthy()
  })
})

describe('other controls', () => {
  it('reject a file of wrong size or type with a message', async () => {
    const onChange = vi.fn()
    await renderInAdmin(() => (
      <FileDrop label="File" accept=".csv,.json" megabytes={1} value={null} onChange={onChange} />
    ))
    const choose = (file: File) => fireEvent.change(screen.getByLabelText('File'), { target: { files: [file] } })
    choose(new File(['x'], 'orders.xlsx'))
    expect(alerts()).toContain('This kind of file is not accepted.')
    choose(new File([new Uint8Array(1_000_001)], 'big.csv'))
    expect(alerts()).toContain('The file is larger than 1 MB.')
    const good = new File(['x'], 'GOOD.CSV')
    choose(good)
    expect(onChange.mock.calls.map(([file]) => file)).toEqual([null, null, good])
  })

  it('ask for a required reason', async () => {
    const onConfirm = vi.fn()
    await renderInAdmin(() => (
      <ConfirmDialog
        open
        title="Cancel it?"
        confirm="Cancel it"
        reason="required"
        onConfirm={onConfirm}
        onCancel={() => {}}
      />
    ))
    const confirm = screen.getByRole('button', { name: 'Cancel it', hidden: true })
    fireEvent.click(confirm)
    expect(onConfirm).not.toHaveBeenCalled()
    expect(screen.getByText('Write the reason first.')).toBeTruthy()
    fill('Reason', '  Asked by phone ')
    fireEvent.click(confirm)
    expect(onConfirm).toHaveBeenCalledExactlyOnceWith('Asked by phone')
  })

  it('tick and untick', async () => {
    const onChange = vi.fn()
    await renderInAdmin(() => <CheckboxField label="Agreed" hint="Once" value={false} onChange={onChange} />)
    fireEvent.click(screen.getByRole('checkbox', { name: 'Agreed', description: 'Once' }))
    expect(onChange).toHaveBeenCalledExactlyOnceWith(true)
  })
})
