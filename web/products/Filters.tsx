import type { Vendor } from '@qatra/contract/vendors/vendors'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { useNameIn } from '../app/names.ts'
import type { HomeSearch } from '../app/routes/search.ts'
import { useT } from '../lib/language/i18n.tsx'
import { Size } from '../ui/Bidi.tsx'
import { ChipRow, chipClass } from '../ui/Chip.tsx'
import { classes } from '../ui/class-names.ts'
import { GridIcon } from '../ui/icons.tsx'
import { VendorEmblem } from '../ui/VendorEmblem.tsx'

/** Without this the link "All" is active on every filtered page, because its search is a subset of theirs. */
const exactly = { exact: true, explicitUndefined: true }

interface PickProps {
  vendor: number | undefined
  chosen: boolean
  label: ReactNode
  picture: ReactNode
}

function Pick({ vendor, chosen, label, picture }: PickProps) {
  return (
    <Link
      to="/"
      search={(old: HomeSearch) => ({ ...old, vendor })}
      activeOptions={exactly}
      resetScroll={false}
      aria-current={chosen ? 'true' : undefined}
      className={classes(
        'grid w-19 shrink-0 justify-items-center gap-1.5 rounded-l py-1.5 text-label',
        'md:flex md:h-14 md:w-auto md:items-center md:gap-2.5 md:py-0 md:ps-2 md:pe-4 md:text-[0.9375rem] md:text-ink',
        chosen
          ? 'font-strong text-ink md:inset-ring-2 md:inset-ring-gulf'
          : 'text-ink-2 md:inset-ring md:inset-ring-line',
      )}
    >
      <span
        className={classes(
          'grid rounded-[18px] p-0.75 md:rounded-none md:p-0 md:inset-ring-0',
          chosen ? 'inset-ring-2 inset-ring-gulf' : '',
        )}
      >
        {picture}
      </span>
      <span className="w-full truncate text-center leading-[1.7] md:w-auto">{label}</span>
    </Link>
  )
}

export function VendorPicker({ vendors, chosen }: { vendors: readonly Vendor[]; chosen: number | undefined }) {
  const t = useT()
  const nameIn = useNameIn()
  const all = (
    <span className="grid size-12 place-items-center rounded-[14px] bg-well text-gulf md:size-10 md:rounded-m">
      <GridIcon size={22} aria-hidden="true" />
    </span>
  )
  return (
    <ChipRow
      label={t('catalogue.vendors')}
      className="-mx-4 gap-1 px-3 pt-2 md:mx-0 md:mt-3 md:flex-wrap md:gap-2 md:px-0"
    >
      <Pick
        vendor={undefined}
        chosen={chosen === undefined}
        picture={all}
        label={
          <>
            <span className="md:hidden">{t('catalogue.allVendors')}</span>
            <span className="hidden md:inline">{t('catalogue.allVendorsLong')}</span>
          </>
        }
      />
      {vendors.map((vendor) => (
        <Pick
          key={vendor.id}
          vendor={vendor.id}
          chosen={chosen === vendor.id}
          label={<bdi>{nameIn(vendor)}</bdi>}
          picture={
            <span className="block size-12 md:size-10 [&>*]:size-full">
              <VendorEmblem emblem={vendor.emblem} tint={vendor.tint} name={nameIn(vendor)} logoUrl={vendor.logoUrl} />
            </span>
          }
        />
      ))}
    </ChipRow>
  )
}

interface SizeFilterProps {
  sizes: readonly string[]
  chosen: string | undefined
  isChosen: (size: string) => boolean
}

export function SizeFilter({ sizes, chosen, isChosen }: SizeFilterProps) {
  const t = useT()
  const choice = (size: string | undefined, isOn: boolean, label: ReactNode) => (
    <Link
      key={size ?? ''}
      to="/"
      search={(old: HomeSearch) => ({ ...old, size })}
      activeOptions={exactly}
      resetScroll={false}
      aria-current={isOn ? 'true' : undefined}
      className={chipClass(isOn)}
    >
      {label}
    </Link>
  )
  return (
    <ChipRow label={t('catalogue.sizes')} className="-mx-4 gap-2 px-4 pt-1.5 pb-2 md:mx-0 md:px-0">
      {choice(undefined, chosen === undefined, t('catalogue.allSizes'))}
      {sizes.map((size) => choice(size, isChosen(size), <Size size={size} />))}
    </ChipRow>
  )
}

/** Corrects an invalid address without a new entry in the history. */
export function useCleanAddress(isWrong: boolean, clean: () => void) {
  const latest = useRef(clean)
  latest.current = clean
  useEffect(() => {
    if (isWrong) latest.current()
  }, [isWrong])
}
