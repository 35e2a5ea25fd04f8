import { type ComponentProps, type ReactNode, useId } from 'react'
import { classes } from './class-names.ts'
import { WarningIcon } from './icons.tsx'

interface FrameProps {
  label: ReactNode
  hint?: ReactNode
  /** Error text below the field. */
  error?: ReactNode
  /** The label is for screen readers only. */
  labelHidden?: boolean
  className?: string | undefined
}

interface Described {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
}

/** Label, control, hint and error, linked by ids for every kind of control. */
export function Field(props: FrameProps & { id?: string | undefined; children(control: Described): ReactNode }) {
  const { label, hint, error, labelHidden, className, children } = props
  const own = useId()
  const id = props.id ?? own
  const described = [error ? `${id}-error` : '', hint ? `${id}-hint` : ''].filter(Boolean).join(' ')
  return (
    <div className={classes('grid min-w-0 grid-cols-[minmax(0,1fr)] gap-1.5', className)}>
      <label htmlFor={id} className={labelHidden ? 'sr-only' : 'text-label font-strong'}>
        {label}
      </label>
      {children({ id, 'aria-describedby': described || undefined, 'aria-invalid': error ? true : undefined })}
      {/* The live region exists before the error, so that it is announced. */}
      <div
        id={`${id}-error`}
        role="alert"
        className={error ? 'flex items-start gap-1.5 text-label text-clay' : 'hidden'}
      >
        {error && <WarningIcon size={16} aria-hidden="true" className="mt-0.75" />}
        {error && <span>{error}</span>}
      </div>
      {hint && (
        <p id={`${id}-hint`} className="text-label text-ink-3">
          {hint}
        </p>
      )}
    </div>
  )
}

const box = 'flex w-full min-w-0 items-center gap-2 rounded-m px-3.5 has-focus-visible:inset-ring-2'
const openBox = 'inset-ring inset-ring-line-strong bg-surface has-focus-visible:inset-ring-focus'
const wrongBox = 'inset-ring-2 inset-ring-clay bg-surface'
const restBox = 'bg-well text-ink-2 has-focus-visible:inset-ring-focus'
const control = 'w-full min-w-0 flex-1 bg-transparent text-as-page text-inherit outline-none placeholder:text-ink-3'

const boxClassOf = (error: ReactNode, isReadOnly = false) => (error ? wrongBox : isReadOnly ? restBox : openBox)

interface OwnInput {
  /** Shown inside the box before the text, such as the country code. */
  before?: ReactNode
  after?: ReactNode
  /** Shown at the start of the box in the direction of the page, independent of the text. */
  icon?: ReactNode
  /** Phones and codes are left to right in both languages. */
  ltr?: boolean
  /** 54 px high with 20 px text, for the only field of a step. */
  big?: boolean
}

/** Text input in one line. Takes every attribute of an input and `ref`. */
export function TextField(props: FrameProps & OwnInput & Omit<ComponentProps<'input'>, 'className'>) {
  const { label, hint, error, labelHidden, className, before, after, icon, ltr, big, id, ...input } = props
  return (
    <Field id={id} label={label} hint={hint} error={error} labelHidden={labelHidden ?? false} className={className}>
      {(described) => (
        <span
          dir={ltr && !icon ? 'ltr' : undefined}
          className={classes(box, big ? 'min-h-13.5 text-[1.25rem]' : 'min-h-12', boxClassOf(error, input.readOnly))}
        >
          {icon}
          {before}
          <input dir={ltr ? 'ltr' : 'auto'} {...input} {...described} className={classes(control, 'h-12')} />
          {after}
        </span>
      )}
    </Field>
  )
}

export function TextArea(props: FrameProps & Omit<ComponentProps<'textarea'>, 'className'>) {
  const { label, hint, error, labelHidden, className, id, ...area } = props
  return (
    <Field id={id} label={label} hint={hint} error={error} labelHidden={labelHidden ?? false} className={className}>
      {(described) => (
        <span className={classes(box, boxClassOf(error, area.readOnly))}>
          <textarea dir="auto" rows={3} {...area} {...described} className={classes(control, 'resize-y py-3')} />
        </span>
      )}
    </Field>
  )
}
