import { retryPicture } from '@qatra/contract/products/admin'
import { cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { renderInAdmin, setUpScreen } from '../../ui/admin/test-admin.tsx'
import { ProductThumb } from '../../ui/ProductPicture.tsx'
import { VendorEmblem } from '../../ui/VendorEmblem.tsx'
import { PictureNote } from './PictureNote.tsx'

const calls = vi.hoisted(() => ({ call: vi.fn<(endpoint: object, input: object) => Promise<unknown>>() }))
vi.mock('../../lib/api-client.ts', async (original) => ({ ...(await original<object>()), call: calls.call }))

afterEach(cleanup)
const url = 'https://pictures.example/a.png'

it('PictureNote shows why a picture was not fetched, and retries on click', async () => {
  setUpScreen()
  calls.call.mockRejectedValueOnce(new Error('offline')).mockResolvedValueOnce({ success: true })
  await renderInAdmin(() => <PictureNote url={url} state={{ state: 'failed', problem: 'address' }} />)
  expect(screen.getByText('This address cannot be used: it must be a public https address.')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Fetch again' }))
  await screen.findByText('That did not work. Please try again.')
  fireEvent.click(screen.getByRole('button', { name: 'Fetch again' }))
  await screen.findByText(/The picture is being fetched/)
  expect(calls.call.mock.calls).toEqual([
    [retryPicture, { body: { url } }],
    [retryPicture, { body: { url } }],
  ])
  expect(screen.queryByRole('button', { name: 'Fetch again' })).toBeNull()
})

it('PictureNote is empty for an uploaded picture, and never loads an external one', async () => {
  setUpScreen()
  const { container } = await renderInAdmin(() => (
    <>
      <PictureNote url="/media/x.webp" state={null} />
      <ProductThumb size="500ml" imageUrl={url} tint={null} />
      <VendorEmblem emblem="drop" tint={null} name="Qatra" logoUrl={url} />
    </>
  ))
  expect(screen.queryByRole('button', { name: 'Fetch again' })).toBeNull()
  expect(container.querySelectorAll('img')).toHaveLength(0)
})
