import { useT } from '../../../lib/language/i18n.tsx'
import type { Icon } from '../../icons.tsx'
import { CheckMenu, type CheckOption } from '../CheckMenu.tsx'
import { FilterChip } from './FilterChip.tsx'

export type FilterOption<T> = CheckOption<T>

interface ChoiceFilterProps<T> {
  label: string
  values: readonly T[]
  options: readonly FilterOption<T>[]
  onChange(values: readonly T[]): void
  /** More than one at a time; they stay open to be chosen from. */
  multiple?: boolean
  /** A line to search the choices by; on by itself from ten choices on. */
  searchable?: boolean
  icon?: Icon
}

const MANY = 10

/** One or several of a list of choices. */
export function ChoiceFilter<T extends string | number>(props: ChoiceFilterProps<T>) {
  const { label, values, options, onChange, icon, multiple = false, searchable = options.length >= MANY } = props
  const t = useT()
  const named = options.filter(({ value }) => values.includes(value))
  const [only] = named
  const chosen =
    values.length === 0
      ? null
      : named.length === 1 && only
        ? only.label
        : t('admin.chosen', { name: label, count: values.length })
  const toggle = (value: T) => {
    const others = multiple ? values.filter((one) => one !== value) : []
    onChange(values.includes(value) ? others : [...others, value])
  }
  return (
    <FilterChip label={label} chosen={chosen} onClear={() => onChange([])} {...(icon ? { icon } : {})}>
      {(trigger) => (
        <CheckMenu
          label={label}
          trigger={trigger}
          options={options}
          values={values}
          multiple={multiple}
          searchable={searchable}
          onToggle={toggle}
        />
      )}
    </FilterChip>
  )
}
