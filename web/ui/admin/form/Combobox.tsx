import { Combobox as Base } from '@base-ui/react/combobox'
import { fold } from '@qatra/contract/lib/text'
import { type ReactNode, useRef, useState } from 'react'
import { useT } from '../../../lib/language/i18n.tsx'
import { classes } from '../../class-names.ts'
import { Field } from '../../Field.tsx'
import { CloseIcon } from '../../icons.tsx'
import { PickIcon } from '../icons.ts'

export interface ComboboxOption<T> {
  value: T
  label: string
  /** Below the label in the list: a phone, a block. */
  hint?: string
  /** Searched as well: the name in the other language. */
  also?: string
  /** Before the label in the list. */
  picture?: ReactNode
}

interface ComboboxProps<T> {
  label: ReactNode
  hint?: ReactNode
  error?: ReactNode
  value: T | null
  onChange(value: NoInfer<T> | null): void
  /** Undefined while loading. */
  options: readonly ComboboxOption<T>[] | undefined
  /** Label of the selected option, if it may not be among the options. */
  chosenLabel?: string
  placeholder?: string
  /** Required: no clear button. */
  required?: boolean
  className?: string
}

const SHOWN = 50
const noOptions: never[] = []
const square = 'grid size-9 place-items-center rounded-s hover:bg-well max-md:size-tap'

const matches = ({ label, also = '', hint = '' }: ComboboxOption<unknown>, text: string) =>
  fold(`${label} ${also} ${hint}`).includes(fold(text))

/** Searchable select: matches regardless of alef, hamza and digit forms. */
export function Combobox<T extends string | number>(props: ComboboxProps<T>) {
  const { label, hint, error, value, onChange, options, chosenLabel = '', placeholder, required } = props
  const t = useT()
  // Rendered beside the field, because a modal dialog makes everything outside of it inert.
  const box = useRef<HTMLDivElement>(null)
  /** Typed text; null shows the selected option's label. */
  const [text, setText] = useState<string | null>(null)
  const chosen =
    value === null ? null : (options?.find((option) => option.value === value) ?? { value, label: chosenLabel })
  return (
    <Field label={label} hint={hint} error={error} className={props.className}>
      {(described) => (
        <div ref={box} className="relative">
          <Base.Root<ComboboxOption<T>>
            items={options ?? noOptions}
            value={chosen}
            isItemEqualToValue={(one, other) => one.value === other.value}
            filter={matches}
            limit={SHOWN}
            autoHighlight
            onValueChange={(option, details) => {
              // Only the clear button clears the value, neither an empty text nor Escape, which closes the panel around.
              if (details.reason !== 'input-clear' && details.reason !== 'escape-key')
                return onChange(option?.value ?? null)
              details.cancel()
              details.allowPropagation()
            }}
            inputValue={text ?? chosen?.label ?? ''}
            onInputValueChange={(typed, { reason }) => setText(reason === 'input-change' ? typed : null)}
          >
            <Base.InputGroup
              className={classes(
                'flex min-h-12 items-center gap-1 rounded-m bg-surface ps-3.5 pe-1.5 has-focus-visible:inset-ring-2 has-focus-visible:inset-ring-focus',
                error ? 'inset-ring-2 inset-ring-clay' : 'inset-ring inset-ring-line-strong',
              )}
            >
              <Base.Input
                {...described}
                dir="auto"
                placeholder={placeholder}
                className="h-12 w-full min-w-0 flex-1 bg-transparent text-as-page outline-none placeholder:text-ink-3"
                onFocus={(event) => event.target.select()}
                onBlur={({ relatedTarget }) => {
                  if (!box.current?.contains(relatedTarget)) setText(null)
                }}
              />
              {!required && (
                <Base.Clear tabIndex={0} aria-label={t('admin.clear')} className={classes(square, 'text-ink-2')}>
                  <CloseIcon size={16} aria-hidden="true" />
                </Base.Clear>
              )}
              <Base.Trigger aria-label={t('admin.combobox.open')} className={classes(square, 'text-ink-3')}>
                <PickIcon size={16} aria-hidden="true" />
              </Base.Trigger>
            </Base.InputGroup>
            <Base.Portal container={box}>
              <Base.Positioner sideOffset={4} className="z-30">
                <Base.Popup className="appear w-(--anchor-width) rounded-m bg-surface p-1.5 shadow-float">
                  <Base.Empty className="px-2.5 py-1.5 text-ink-2 empty:hidden">
                    {options && t('admin.nothingFound')}
                  </Base.Empty>
                  <Results />
                  <Base.List
                    aria-label={typeof label === 'string' ? label : undefined}
                    className="max-h-[min(276px,var(--available-height))] overflow-y-auto overscroll-contain outline-none"
                  >
                    {(option: ComboboxOption<T>) => <Option key={option.value} option={option} />}
                  </Base.List>
                </Base.Popup>
              </Base.Positioner>
            </Base.Portal>
          </Base.Root>
        </div>
      )}
    </Field>
  )
}

function Option({ option }: { option: ComboboxOption<unknown> }) {
  return (
    <Base.Item
      value={option}
      className="flex cursor-pointer items-center gap-2.5 rounded-s px-2.5 py-1.5 outline-none data-highlighted:bg-well data-selected:font-strong"
    >
      {option.picture}
      <span className="min-w-0 flex-1">
        <bdi className="block truncate leading-relaxed">{option.label}</bdi>
        {option.hint && <bdi className="block truncate text-caption font-regular text-ink-3">{option.hint}</bdi>}
      </span>
    </Base.Item>
  )
}

/** Announces the number of results. */
function Results() {
  const t = useT()
  const { length } = Base.useFilteredItems()
  return <Base.Status className="sr-only">{length > 0 && t('admin.combobox.results', { count: length })}</Base.Status>
}
