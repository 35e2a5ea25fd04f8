import { formatSize } from '@qatra/contract/products/sizes'
import type { Vendor } from '@qatra/contract/vendors/vendors'
import { Link } from '@tanstack/react-router'
import { type ComponentType, type ReactNode, useEffect, useEffectEvent } from 'react'
import { useNameIn } from '../app/names.ts'
import type { HomeSearch, Sort } from '../app/routes/search.ts'
import { useLanguage, useT } from '../lib/language/i18n.tsx'
import { ChipRow, chipClass } from '../ui/Chip.tsx'
import { DownIcon } from '../ui/icons.tsx'
import { VendorEmblem } from '../ui/VendorEmblem.tsx'

/** Without this the link "All" is active on every filtered page, because its search is a subset of theirs. */
const exactly = { exact: true, explicitUndefined: true }

interface ChoiceProps {
  /** What the link changes in the address. */
  search: HomeSearch
  isOn: boolean
  onChoose?(): void
  children: ReactNode
}

export function Choice({ search, isOn, onChoose, children }: ChoiceProps) {
  return (
    <Link
      to="/"
      search={(old: HomeSearch) => ({ ...old, ...search })}
      activeOptions={exactly}
      resetScroll={false}
      aria-current={isOn ? 'true' : undefined}
      className={chipClass(isOn)}
      onClick={onChoose}
    >
      {children}
    </Link>
  )
}

export interface FilterBoxProps {
  sizes: readonly string[]
  size: string | undefined
  isSize: (size: string) => boolean
  sort: Sort | undefined
  close(): void
}

interface FiltersProps extends Omit<FilterBoxProps, 'close'> {
  vendors: readonly Vendor[]
  chosen: number | undefined
  /** Once it is loaded. */
  Box: ComponentType<FilterBoxProps> | undefined
  isOpen: boolean
  setOpen(isOpen: boolean): void
}

/** One line above the products: size and order in a box of their own, and the vendors, which scroll sideways. */
export function Filters({ vendors, chosen, Box, isOpen, setOpen, ...choices }: FiltersProps) {
  const { t, lang } = useLanguage()
  const { size, sort } = choices
  return (
    <div className="relative -mx-4 flex items-center gap-2 ps-4 md:mx-0 md:py-1 md:ps-0">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className={chipClass(size !== undefined || sort !== undefined)}
      >
        <span className="sr-only">{t('catalogue.filter')}: </span>
        {size === undefined ? t('catalogue.allSizes') : <bdi>{formatSize(size, lang)}</bdi>}
        <DownIcon size={16} aria-hidden="true" />
      </button>
      {isOpen && Box && <Box {...choices} close={() => setOpen(false)} />}
      <VendorPicker vendors={vendors} chosen={chosen} />
    </div>
  )
}

function VendorPicker({ vendors, chosen }: Pick<FiltersProps, 'vendors' | 'chosen'>) {
  const t = useT()
  const nameIn = useNameIn()
  return (
    <ChipRow label={t('catalogue.vendors')} className="gap-2 pe-4 md:pe-0">
      <Choice search={{ vendor: undefined }} isOn={chosen === undefined}>
        {t('catalogue.allVendors')}
      </Choice>
      {vendors.map((vendor) => (
        <Choice key={vendor.id} search={{ vendor: vendor.id }} isOn={chosen === vendor.id}>
          <VendorEmblem
            size={28}
            emblem={vendor.emblem}
            tint={vendor.tint}
            name={nameIn(vendor)}
            logoUrl={vendor.logoUrl}
          />
          <bdi>{nameIn(vendor)}</bdi>
        </Choice>
      ))}
    </ChipRow>
  )
}

/** Corrects an invalid address without a new entry in the history. */
export function useCleanAddress(isWrong: boolean, clean: () => void) {
  const cleanNow = useEffectEvent(clean)
  useEffect(() => {
    if (isWrong) cleanNow()
  }, [isWrong])
}
