import { useState } from 'react'
import { Button } from '../../Button.tsx'
import { TextArea } from '../../Field.tsx'

interface PasteFieldProps {
  label: string
  hint: string
  submit: string
  dir: 'ltr' | 'auto'
  placeholder?: string
  /** Of the file that the text is sent as. */
  nameOf(text: string): string
  onText(file: File): void
}

/** Rows that are pasted instead of uploaded; sent as a file. */
export function PasteField({ label, hint, submit, dir, placeholder, nameOf, onText }: PasteFieldProps) {
  const [text, setText] = useState('')
  return (
    <form
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (text.trim() !== '') onText(new File([text], nameOf(text)))
      }}
    >
      <TextArea
        label={label}
        hint={hint}
        dir={dir}
        rows={6}
        spellCheck={false}
        placeholder={placeholder}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <Button type="submit" tone="aqua" className="justify-self-start">
        {submit}
      </Button>
    </form>
  )
}
