import { useEffect, useRef, useState } from 'react'
import { useT } from '../../lib/language/i18n.tsx'
import { CheckIcon, CopyIcon } from '../icons.tsx'

const SHOWN_MS = 2000

/** Copies a text to the clipboard and confirms it. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const t = useT()
  const [isCopied, setIsCopied] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setIsCopied(true)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setIsCopied(false), SHOWN_MS)
  }
  const Sign = isCopied ? CheckIcon : CopyIcon
  return (
    <button
      type="button"
      aria-label={t('admin.copy', { name: label })}
      className="grid size-8 flex-none place-items-center rounded-s text-ink-2 hover:bg-well max-md:size-tap"
      onClick={() => void copy()}
    >
      <Sign size={16} aria-hidden="true" />
      <span role="status" className="sr-only">
        {isCopied ? t('admin.copied') : ''}
      </span>
    </button>
  )
}
