import { act, cleanup, render, screen } from '@testing-library/react'
import type { ComponentType } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { useChunk } from './use-chunk.ts'

type Loaded = ComponentType<{ name: string }>
const load = vi.fn<() => Promise<Loaded>>()
const onError = vi.fn<(error: unknown) => void>()
const Banner: Loaded = ({ name }) => <b>Banner of {name}</b>

function Page({ need }: { need: unknown }) {
  const Chunk = useChunk(load, { need, onError })
  return (
    <main>
      The page
      {Chunk && <Chunk name="Noora" />}
    </main>
  )
}

const settled = () => act(() => Promise.resolve())
const connect = () => act(async () => void window.dispatchEvent(new Event('online')))

beforeEach(() => {
  vi.spyOn(console, 'warn').mockReturnValue()
})
afterEach(() => {
  cleanup()
  vi.resetAllMocks()
})

it('loads a chunk once, when the component needs it', async () => {
  load.mockResolvedValue(Banner)
  const { rerender } = render(<Page need={false} />)
  await settled()
  expect(load).not.toHaveBeenCalled()
  rerender(<Page need={1} />)
  expect(await screen.findByText('Banner of Noora')).toBeTruthy()
  rerender(<Page need={2} />)
  await connect()
  expect(load).toHaveBeenCalledTimes(1)
  expect(onError).not.toHaveBeenCalled()
})

it('shows the page without a chunk that fails, and repeats the load when the connection returns', async () => {
  const offline = new TypeError('Failed to fetch')
  load.mockRejectedValueOnce(offline).mockResolvedValue(Banner)
  render(<Page need />)
  await settled()
  expect(screen.getByText('The page')).toBeTruthy()
  expect(onError.mock.calls).toEqual([[offline]])
  await connect()
  expect(screen.getByText('Banner of Noora')).toBeTruthy()
})

it('repeats a failed load when the need changes', async () => {
  load.mockRejectedValueOnce(new TypeError('Failed to fetch')).mockResolvedValue(Banner)
  const { rerender } = render(<Page need={1} />)
  await settled()
  rerender(<Page need={2} />)
  await settled()
  expect(screen.getByText('Banner of Noora')).toBeTruthy()
})

it('ignores a load that fails after the need has ended', async () => {
  let fail: (error: Error) => void = () => undefined
  load.mockReturnValue(
    new Promise((_, reject) => {
      fail = reject
    }),
  )
  const { rerender } = render(<Page need />)
  rerender(<Page need={false} />)
  fail(new TypeError('Failed to fetch'))
  await settled()
  await connect()
  expect(onError).not.toHaveBeenCalled()
  expect(load).toHaveBeenCalledTimes(1)
})
