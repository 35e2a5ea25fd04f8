import { useId } from 'react'
import { classes } from '../class-names.ts'

interface SegmentedProps<T extends string> {
  label: string
  value: T
  options: readonly { value: T; label: string }[]
  onChange(value: T): void
}

/** Choice between two to five visible options. Uses radio inputs, so arrow keys select. */
export function Segmented<T extends string>({ label, value, options, onChange }: SegmentedProps<T>) {
  const name = useId()
  return (
    <fieldset aria-label={label} className="inline-flex min-w-0 rounded-[10px] bg-well p-0.75">
      {options.map((option) => (
        <label
          key={option.value}
          className={classes(
            'relative grid h-7 cursor-pointer place-items-center rounded-s px-3 whitespace-nowrap has-focus-visible:outline-2 has-focus-visible:outline-focus max-md:h-tap',
            option.value === value ? 'bg-surface font-strong text-ink' : 'text-ink-2 hover:text-ink',
          )}
        >
          <input
            type="radio"
            name={name}
            className="absolute inset-0 cursor-pointer appearance-none opacity-0"
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  )
}
