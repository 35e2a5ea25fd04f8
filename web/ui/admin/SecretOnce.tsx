import { useEffect, useRef } from 'react'
import { Button } from '../Button.tsx'
import { CopyIcon } from '../icons.tsx'
import { toast } from '../Toast.tsx'

interface SecretOnceProps {
  /** Accessible name of the field. */
  label: string
  text: string
  /** Of the button. */
  copy: string
  copied: string
}

/** A secret that is shown once, selected, with a button that copies it. */
export function SecretOnce({ label, text, copy, copied }: SecretOnceProps) {
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => field.current?.select(), [])
  const copyText = async () => {
    try {
      await navigator.clipboard.writeText(text)
      toast({ title: copied })
    } catch {
      // Without access to the clipboard the text is selected, to be copied by hand.
      field.current?.select()
    }
  }
  return (
    <>
      <textarea
        ref={field}
        readOnly
        rows={3}
        dir="ltr"
        aria-label={label}
        className="w-full resize-none rounded-m bg-well p-3.5 break-all outline-none focus-visible:inset-ring-2 focus-visible:inset-ring-focus"
        value={text}
      />
      <Button tone="aqua" icon={CopyIcon} onClick={() => void copyText()}>
        {copy}
      </Button>
    </>
  )
}
