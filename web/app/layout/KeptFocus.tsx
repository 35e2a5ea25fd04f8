import { startTransition, useEffect, useState } from 'react'
import { useChunk } from '../../lib/use-chunk.ts'

const loadKeeper = () => import('../../ui/focus-keeper.ts')

/** Keeps the focus off the body (`keepFocus`) from the first focus on: before it there is none to keep. */
export function KeptFocus() {
  const [hasFocused, setFocused] = useState(false)
  const keeper = useChunk(loadKeeper, { need: hasFocused })
  useEffect(() => {
    // Not urgent: the press that moves the focus is handled first.
    const note = () => startTransition(() => setFocused(true))
    if (document.activeElement !== document.body) note()
    document.addEventListener('focusin', note, { once: true })
    return () => document.removeEventListener('focusin', note)
  }, [])
  useEffect(() => keeper?.keepFocus(), [keeper])
  return null
}
