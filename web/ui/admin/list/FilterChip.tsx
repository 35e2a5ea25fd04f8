import type { ReactElement, ReactNode } from 'react'
import { useT } from '../../../lib/language/i18n.tsx'
import { classes } from '../../class-names.ts'
import { CloseIcon, DownIcon, type Icon } from '../../icons.tsx'
import { toolbarButtonClass } from '../ToolbarButton.tsx'

interface FilterChipProps {
  /** What it filters by. */
  label: string
  /** What is chosen; null where nothing is. */
  chosen: ReactNode
  icon?: Icon
  onClear(): void
  /** Renders the popup with its button. */
  children(trigger: ReactElement): ReactNode
}

/** A filter as a chip that opens its choices; one that is on shows them, with a cross that takes it off. */
export function FilterChip({ label, chosen, icon: Sign, onClear, children }: FilterChipProps) {
  const t = useT()
  const isOn = chosen !== null
  return (
    <div className="relative inline-flex">
      {children(
        <button
          type="button"
          // The selected value alone would not name the filter.
          aria-label={typeof chosen === 'string' && !chosen.startsWith(label) ? `${label}: ${chosen}` : undefined}
          className={toolbarButtonClass(isOn, classes('max-w-64', isOn && 'pe-8 max-md:pe-11'))}
        >
          {Sign && <Sign size={16} aria-hidden="true" className={isOn ? undefined : 'text-ink-3'} />}
          <span className="truncate leading-relaxed">{isOn ? chosen : label}</span>
          {!isOn && <DownIcon size={16} aria-hidden="true" className="text-ink-3" />}
        </button>,
      )}
      {isOn && (
        <button
          type="button"
          aria-label={t('admin.clearFilter', { name: label })}
          className="absolute end-1 top-1/2 grid size-6.5 -translate-y-1/2 place-items-center rounded-s text-gulf hover:bg-well-2 max-md:size-tap"
          onClick={onClear}
        >
          <CloseIcon size={14} aria-hidden="true" />
        </button>
      )}
    </div>
  )
}
