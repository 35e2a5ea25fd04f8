import { westernDigits } from '@qatra/contract/lib/digits'
import { type ReactNode, useEffect, useId, useState } from 'react'
import { useT } from '../../../lib/language/i18n.tsx'
import { classes } from '../../class-names.ts'
import { Field, TextField } from '../../Field.tsx'
import { DownIcon } from '../../icons.tsx'

interface FieldProps<T> {
  label: ReactNode
  hint?: ReactNode
  error?: ReactNode
  name?: string
  value: T
  onChange(value: T): void
  readOnly?: boolean
  className?: string
}

const box =
  'h-12 w-full min-w-0 rounded-m bg-surface px-3.5 outline-none focus-visible:inset-ring-2 focus-visible:inset-ring-focus disabled:bg-well disabled:text-ink-2 disabled:inset-ring-0'
const edge = (error: ReactNode) => (error ? 'inset-ring-2 inset-ring-clay' : 'inset-ring inset-ring-line-strong')

interface Option<T> {
  value: T
  label: string
}
type SelectFieldProps<T> = FieldProps<T | null> & {
  options: readonly Option<T>[]
  /** Option for no selection; missing if a value is required. */
  placeholder?: string
}

/** Native select, for few options. For many, use `Combobox`. */
export function SelectField<T extends string | number>(props: SelectFieldProps<T>) {
  const { label, hint, error, name, value, onChange, readOnly, className, options, placeholder } = props
  return (
    <Field label={label} hint={hint} error={error} className={className}>
      {(described) => (
        <span className="relative block">
          <select
            {...described}
            name={name}
            disabled={readOnly}
            value={value === null ? '' : String(value)}
            className={classes(box, edge(error), 'appearance-none pe-10')}
            onChange={({ target }) =>
              onChange(options.find((option) => String(option.value) === target.value)?.value ?? null)
            }
          >
            {(placeholder !== undefined || value === null) && <option value="">{placeholder ?? ''}</option>}
            {options.map((option) => (
              <option key={option.value} value={String(option.value)}>
                {option.label}
              </option>
            ))}
          </select>
          <DownIcon
            size={18}
            aria-hidden="true"
            className="pointer-events-none absolute end-3.5 top-1/2 -translate-y-1/2 text-ink-3"
          />
        </span>
      )}
    </Field>
  )
}

/** Parses a number in any of three digit scripts; NaN if invalid, null if empty. */
export function numberIn(text: string): number | null {
  const plain = westernDigits(text)
    .replaceAll('٫', '.')
    .replaceAll(/[٬,\s]/g, '')
  if (plain === '') return null
  return /^-?(?:\d{1,15}(?:\.\d{0,15})?|\.\d{1,15})$/.test(plain) ? Number(plain) : Number.NaN
}

type NumberFieldProps = FieldProps<number | null> & {
  /** Unit or currency beside the number. */
  unit?: ReactNode
  /** Decimals shown after the field is left. */
  decimals?: number
  inputMode?: 'numeric' | 'decimal'
}

/** Number input in any digit script; an invalid text becomes NaN, which every schema rejects. */
export function NumberField(props: NumberFieldProps) {
  const {
    label,
    hint,
    error,
    name,
    value,
    onChange,
    readOnly,
    className,
    unit,
    decimals,
    inputMode = 'numeric',
  } = props
  const t = useT()
  const written = (number: number | null) =>
    number === null || Number.isNaN(number) ? '' : decimals === undefined ? String(number) : number.toFixed(decimals)
  const [text, setText] = useState(() => written(value))
  // The value changed from outside, such as by a reset: update the text.
  useEffect(() => {
    setText((before) => (Object.is(numberIn(before), value) ? before : Number.isNaN(value) ? before : written(value)))
  }, [value]) // oxlint-disable-line react/exhaustive-deps -- `written` follows from decimals, which do not change
  return (
    <TextField
      label={label}
      hint={hint}
      error={error ?? (Number.isNaN(value) ? t('admin.form.number') : undefined)}
      className={className}
      name={name}
      readOnly={readOnly}
      ltr
      inputMode={inputMode}
      autoComplete="off"
      value={text}
      after={unit ? <span className="flex-none text-ink-3">{unit}</span> : undefined}
      onChange={(event) => {
        setText(event.target.value)
        onChange(numberIn(event.target.value))
      }}
      onBlur={() => {
        if (value !== null && !Number.isNaN(value)) setText(written(value))
      }}
    />
  )
}

/** Amount in BHD with three decimals. */
export function MoneyField(props: Omit<NumberFieldProps, 'unit' | 'decimals' | 'inputMode'>) {
  const t = useT()
  return <NumberField {...props} inputMode="decimal" decimals={3} unit={t('admin.currency')} />
}

export function CheckboxField({ label, hint, error, name, value, onChange, readOnly, className }: FieldProps<boolean>) {
  const id = useId()
  return (
    <div className={classes('grid gap-1', className)}>
      <label className="flex min-h-9 w-fit cursor-pointer items-center gap-2.5 max-md:min-h-tap">
        <input
          type="checkbox"
          name={name}
          className="tick"
          disabled={readOnly}
          checked={value}
          aria-describedby={hint ? `${id}-hint` : undefined}
          aria-invalid={error ? true : undefined}
          onChange={(event) => onChange(event.target.checked)}
        />
        {label}
      </label>
      {hint && (
        <p id={`${id}-hint`} className="ps-6.5 text-ink-3">
          {hint}
        </p>
      )}
      {error && <p className="text-clay">{error}</p>}
    </div>
  )
}

interface CheckboxListProps<T> {
  label: ReactNode
  error?: ReactNode
  name?: string
  choices: readonly { value: T; label: string; hint?: string }[]
  /** Those that are chosen, which may contain values of another list. */
  value: readonly T[]
  /** In the order of `choices`. */
  onChange(value: T[]): void
}

/** Any number of values. */
export function CheckboxList<T extends string>({ label, error, name, choices, value, onChange }: CheckboxListProps<T>) {
  const change = (each: T, on: boolean) => {
    const own = choices.map((one) => one.value)
    const chosen = own.filter((one) => (one === each ? on : value.includes(one)))
    onChange([...value.filter((one) => !own.includes(one)), ...chosen])
  }
  return (
    <>
      <fieldset>
        <legend className="mb-1 font-strong">{label}</legend>
        {choices.map(({ value: each, ...texts }) => (
          <CheckboxField
            key={each}
            name={name}
            value={value.includes(each)}
            onChange={(on) => change(each, on)}
            {...texts}
          />
        ))}
      </fieldset>
      {error && <p className="text-clay">{error}</p>}
    </>
  )
}

/** Switch that takes effect at once. */
export function SwitchField({ label, hint, name, value, onChange, readOnly, className }: FieldProps<boolean>) {
  const id = useId()
  return (
    <div className={classes('flex min-h-11 items-center justify-between gap-4', className)}>
      <span className="min-w-0">
        <label htmlFor={id} className="block font-strong">
          {label}
        </label>
        {hint && (
          <span id={`${id}-hint`} className="block text-ink-3">
            {hint}
          </span>
        )}
      </span>
      <input
        id={id}
        type="checkbox"
        role="switch"
        aria-checked={value}
        name={name}
        className="switch"
        disabled={readOnly}
        checked={value}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={(event) => onChange(event.target.checked)}
      />
    </div>
  )
}
