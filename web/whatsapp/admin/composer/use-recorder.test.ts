import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { useRecorder } from './use-recorder.ts'

const streams: { stop: ReturnType<typeof vi.fn>; allow: () => void }[] = []
const onRefused = vi.fn()
const onRecorded = vi.fn()

/** The part of MediaRecorder that recordings use. */
class FakeRecorder {
  static isTypeSupported = () => true
  stream: MediaStream
  constructor(stream: MediaStream) {
    this.stream = stream
  }
  start() {}
  stop() {}
}

/** The permission prompt is open until `allow`. */
const getUserMedia = () =>
  new Promise((resolve) => {
    const stop = vi.fn()
    streams.push({ stop, allow: () => resolve({ getTracks: () => [{ stop }] }) })
  })

beforeEach(() => {
  streams.length = 0
  vi.clearAllMocks()
  vi.stubGlobal('MediaRecorder', FakeRecorder)
  vi.stubGlobal('navigator', { mediaDevices: { getUserMedia } })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function startRecording() {
  const { result, rerender, unmount } = renderHook(
    ({ isAllowed }) => useRecorder({ isAllowed, onRefused, onRecorded }),
    { initialProps: { isAllowed: true } },
  )
  void result.current.start()
  const allow = (prompt = 0) => act(async () => streams[prompt]?.allow())
  return { result, rerender, unmount, allow }
}

it('turns the microphone off if the conversation is left while the permission prompt is open', async () => {
  const { unmount, allow } = startRecording()
  unmount()
  await allow()
  expect(streams[0]?.stop).toHaveBeenCalledOnce()
  expect(onRefused).not.toHaveBeenCalled()
})

it('asks again if the first prompt is ignored, and turns its microphone off if it is answered late', async () => {
  const { result, allow } = startRecording()
  void result.current.start()
  await allow(1)
  await allow(0)
  expect(streams.map(({ stop }) => stop.mock.calls.length)).toEqual([1, 0])
  expect(result.current.seconds).toBe(0)
})

it('turns the microphone off if writing ends, at the prompt or while it records', async () => {
  const { result, rerender, allow } = startRecording()
  rerender({ isAllowed: false })
  await allow()
  rerender({ isAllowed: true })
  void result.current.start()
  await allow(1)
  expect(result.current.seconds).toBe(0)
  rerender({ isAllowed: false })
  expect(streams.map(({ stop }) => stop.mock.calls.length)).toEqual([1, 1])
  expect(result.current.seconds).toBeNull()
})

it('turns the microphone off if the browser cannot record it', async () => {
  vi.stubGlobal(
    'MediaRecorder',
    class extends FakeRecorder {
      override start() {
        throw new DOMException('Not supported', 'NotSupportedError')
      }
    },
  )
  const { allow } = startRecording()
  await allow()
  expect(streams[0]?.stop).toHaveBeenCalledOnce()
  expect(onRefused).toHaveBeenCalledOnce()
})
