import { useEffect, useRef, useState } from 'react'

/** WhatsApp's container first; the server converts WebM. */
const types = ['audio/ogg;codecs=opus', 'audio/webm;codecs=opus', 'audio/mp4']
const MAX_SECONDS = 15 * 60

interface Recording {
  recorder: MediaRecorder
  chunks: Blob[]
}

export const canRecord = () => typeof MediaRecorder !== 'undefined' && navigator.mediaDevices !== undefined

/** Turns the microphone off. */
function release(stream: MediaStream) {
  for (const track of stream.getTracks()) track.stop()
}

interface Options {
  /** False ends a recording without sending it. */
  isAllowed: boolean
  onRefused(): void
  onRecorded(file: File): void
}

/** Records the microphone. */
export function useRecorder({ isAllowed, onRefused, onRecorded }: Options) {
  const recording = useRef<Recording | null>(null)
  /** Number of the latest start; a prompt that is ignored may never be answered. */
  const latest = useRef(0)
  const [seconds, setSeconds] = useState<number | null>(null)
  const isOn = seconds !== null

  function end(): Recording | null {
    const ended = recording.current
    recording.current = null
    setSeconds(null)
    if (ended) release(ended.recorder.stream)
    return ended
  }
  async function start() {
    latest.current += 1
    const own = latest.current
    let stream: MediaStream | null = null
    try {
      stream = await navigator.mediaDevices.getUserMedia({ audio: true })
      if (own !== latest.current) return release(stream)
      const mimeType = types.find((type) => MediaRecorder.isTypeSupported(type))
      const recorder = new MediaRecorder(stream, { ...(mimeType ? { mimeType } : {}), audioBitsPerSecond: 32_000 })
      const chunks: Blob[] = []
      recorder.ondataavailable = ({ data }) => void chunks.push(data)
      recorder.start(1_000)
      recording.current = { recorder, chunks }
      setSeconds(0)
    } catch {
      if (stream) release(stream)
      if (own === latest.current) onRefused()
    }
  }
  function finish() {
    const { recorder, chunks } = recording.current ?? {}
    if (!recorder || !chunks) return
    recorder.onstop = () => onRecorded(new File(chunks, 'voice', { type: recorder.mimeType }))
    recorder.stop()
    end()
  }
  function cancel() {
    latest.current += 1
    end()?.recorder.stop()
  }

  const finishNow = useRef(finish)
  finishNow.current = finish
  useEffect(() => {
    if (!isOn) return
    const startedAt = Date.now()
    const timer = setInterval(() => {
      const passed = Math.floor((Date.now() - startedAt) / 1_000)
      setSeconds(passed)
      if (passed >= MAX_SECONDS) finishNow.current()
    }, 500)
    return () => clearInterval(timer)
  }, [isOn])
  // Leaving the conversation ends the recording without sending it.
  const cancelNow = useRef(cancel)
  cancelNow.current = cancel
  useEffect(() => () => cancelNow.current(), [])
  useEffect(() => {
    if (!isAllowed) cancelNow.current()
  }, [isAllowed])
  return { seconds, start, finish, cancel }
}
