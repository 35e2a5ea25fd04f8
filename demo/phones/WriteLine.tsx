import { type FormEvent, useState } from 'react'
import { useT } from '../../web/lib/language/i18n.tsx'
import { SendIcon } from '../../web/ui/icons.tsx'

interface WriteLineProps {
  label: string
  maxLength: number
  /** Resolves to false if sending failed; the text is then kept. */
  onSend(text: string): Promise<boolean>
  /** The error is shown elsewhere, in the element with this id. */
  error: { id: string; isThere: boolean }
  onError(error: string | null): void
}

/** Text field with a send button. */
export function WriteLine({ label, maxLength, onSend, error, onError }: WriteLineProps) {
  const t = useT()
  const [text, setText] = useState('')
  const [busy, setBusy] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    if (text.trim() === '') return onError(t('simulator.nothingToSend'))
    setBusy(true)
    if (await onSend(text.trim())) setText('')
    setBusy(false)
  }
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="flex gap-2">
      <input
        dir="auto"
        value={text}
        maxLength={maxLength}
        enterKeyHint="send"
        autoComplete="off"
        aria-label={label}
        aria-describedby={error.isThere ? error.id : undefined}
        placeholder={label}
        onChange={({ target }) => {
          setText(target.value)
          onError(null)
        }}
        className="h-12 min-w-0 flex-1 rounded-m bg-surface px-3.5 inset-ring inset-ring-line-strong outline-none placeholder:text-ink-3 focus-visible:inset-ring-2 focus-visible:inset-ring-focus"
      />
      <button
        type="submit"
        aria-label={t('simulator.send')}
        aria-busy={busy || undefined}
        className="grid size-12 shrink-0 place-items-center rounded-m bg-aqua text-on-aqua hover:bg-aqua-press"
      >
        <SendIcon size={20} aria-hidden="true" />
      </button>
    </form>
  )
}
