import { Menu as Base } from '@base-ui/react/menu'
import { fold } from '@qatra/contract/lib/text'
import type { ReactElement, ReactNode } from 'react'
import { useT } from '../../lib/language/i18n.tsx'
import { classes } from '../class-names.ts'
import { CheckIcon } from '../icons.tsx'
import { MenuPopup } from './Menu.tsx'

export interface CheckOption<T> {
  value: T
  label: string
  /** Shown before the label: the dot of a badge, an emblem. */
  icon?: ReactNode
  count?: number
}

interface CheckMenuProps<T> {
  label: string
  /** The button that opens it. */
  trigger: ReactElement
  options: readonly CheckOption<T>[]
  values: readonly T[]
  onToggle(value: T): void
  /** More than one at a time; the menu stays open. */
  multiple?: boolean
  /** With a field that filters the options. */
  searchable?: boolean
}

/** A menu of options to check. */
export function CheckMenu<T extends string | number>(props: CheckMenuProps<T>) {
  const { label, trigger, options, values, onToggle, multiple = false, searchable = false } = props
  const t = useT()
  const menu = (
    <MenuPopup
      label={label}
      trigger={trigger}
      align="start"
      className="max-w-[calc(100vw-16px)] min-w-56"
      search={
        searchable && (
          <>
            <Base.Input
              dir="auto"
              aria-label={t('admin.searchIn', { name: label })}
              placeholder={t('admin.searchIn', { name: label })}
              className="mb-1.5 h-9 w-full rounded-s bg-well px-3 text-as-page outline-none placeholder:text-ink-3 focus-visible:outline-2 focus-visible:outline-focus max-md:h-tap"
            />
            <Base.Empty className="px-2.5 py-2 text-ink-2 empty:hidden">{t('admin.nothingFound')}</Base.Empty>
          </>
        )
      }
    >
      {options.map(({ value, label: words, icon, count }) => {
        const isOn = values.includes(value)
        return (
          <Base.Item
            key={value}
            role={multiple ? 'menuitemcheckbox' : 'menuitemradio'}
            aria-checked={isOn}
            label={words}
            closeOnClick={!multiple}
            className={classes(
              'flex min-h-9 cursor-pointer items-center gap-2.5 rounded-s px-2.5 data-highlighted:bg-well max-md:min-h-tap',
              isOn && 'font-strong',
            )}
            onClick={() => onToggle(value)}
          >
            <span className="w-4 text-aqua-ink">{isOn && <CheckIcon size={16} aria-hidden="true" />}</span>
            {icon}
            <span className="min-w-0 flex-1 truncate leading-relaxed">{words}</span>
            {count !== undefined && <span className="text-caption font-regular text-ink-3">{count}</span>}
          </Base.Item>
        )
      })}
    </MenuPopup>
  )
  if (!searchable) return menu
  return <Base.FilterProvider filter={(text, query) => fold(text).includes(fold(query))}>{menu}</Base.FilterProvider>
}
