import { type ClipboardEvent, useEffect, useRef, useState } from 'react'
import { classes } from '../ui/class-names.ts'
import { Field } from '../ui/Field.tsx'
import { codeIn, digitsOf, LONGEST_CODE, SHORTEST_CODE } from './code-digits.ts'

interface CodeFieldProps {
  label: string
  value: string
  /** `whole`: pasted or autofilled at once, so the code is complete. */
  onChange(digits: string, whole: boolean): void
  error: string | null
  /** Number of rejected codes; a new rejection selects the digits, so that typing replaces them. */
  refusals: number
}

/** One input, drawn as boxes, so that paste, autofill and screen readers work as usual. */
export function CodeField({ label, value, onChange, error, refusals }: CodeFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  const [focused, setFocused] = useState(false)
  useEffect(() => {
    input.current?.focus()
    if (refusals > 0) input.current?.select()
  }, [refusals])

  const paste = (event: ClipboardEvent) => {
    event.preventDefault()
    onChange(codeIn(event.clipboardData.getData('text')), true)
  }
  const boxes = value.length > SHORTEST_CODE ? LONGEST_CODE : SHORTEST_CODE
  const at = Math.min(value.length, boxes - 1)
  return (
    <Field label={label} labelHidden error={error}>
      {(described) => (
        <div dir="ltr" className="relative">
          <div aria-hidden="true" className="grid auto-cols-fr grid-flow-col gap-3">
            {Array.from({ length: boxes }, (_, index) => (
              <span
                key={index}
                className={classes(
                  'grid h-17 place-items-center rounded-m bg-surface font-strong',
                  boxes > SHORTEST_CODE ? 'text-[1.625rem]' : 'text-[1.875rem]',
                  boxClass(Boolean(error), focused && index === at),
                )}
              >
                {value[index] ?? (focused && index === at && <span className="h-5.5 w-0.5 bg-aqua-ink" />)}
              </span>
            ))}
          </div>
          {/* Browsers paint autofilled input in colours that CSS cannot override: the input is hidden, the boxes stay visible. */}
          <input
            {...described}
            ref={input}
            dir="ltr"
            value={value}
            name="code"
            type="text"
            inputMode="numeric"
            autoComplete="one-time-code"
            enterKeyHint="go"
            required
            // Allows spaces in a pasted code; only digits are kept.
            maxLength={16}
            onPaste={paste}
            onFocus={() => setFocused(true)}
            onBlur={() => setFocused(false)}
            onChange={({ target }) => {
              const digits = digitsOf(target.value)
              onChange(digits, digits.length - value.length > 1)
            }}
            className="absolute inset-0 size-full rounded-m bg-transparent text-[1.875rem] text-transparent caret-transparent outline-none selection:bg-transparent [&:-webkit-autofill]:opacity-0"
          />
        </div>
      )}
    </Field>
  )
}

function boxClass(isWrong: boolean, isNext: boolean) {
  if (isWrong) return 'inset-ring-2 inset-ring-clay'
  return isNext ? 'inset-ring-2 inset-ring-focus' : 'inset-ring inset-ring-line-strong'
}
