import type { Vendor } from '@qatra/contract/vendors/vendors'
import { Link } from '@tanstack/react-router'
import { useNameIn } from '../app/names.ts'
import type { Section } from '../catalogue/api.ts'
import { useT } from '../lib/language/i18n.tsx'
import { Size } from '../ui/Bidi.tsx'
import { buttonClass } from '../ui/Button.tsx'
import { chipClass } from '../ui/Chip.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import type { Found } from './product-search.ts'

interface SearchResultProps {
  found: Found
  /** What the page shows of it. */
  sections: readonly Section[]
  /** What can be tried where nothing was found. */
  sizes: readonly string[]
  vendors: readonly Vendor[]
}

/** How many products were found; without any, other ways to them. */
export function SearchResult({ found, sections, sizes, vendors }: SearchResultProps) {
  const t = useT()
  const count = sections.reduce((sum, section) => sum + section.products.length, 0)
  return (
    <>
      <p role="status" className="pt-3 text-label text-ink-3">
        {count > 0 && !found.isExact ? t('search.nearest') : t('search.found', { count })}
      </p>
      {count === 0 && (
        <div className="py-10">
          <EmptyState title={t('search.nothing')} text={t('search.nothingHint')}>
            <Suggestions sizes={sizes} vendors={vendors} />
          </EmptyState>
        </div>
      )}
    </>
  )
}

function Suggestions({ sizes, vendors }: Pick<SearchResultProps, 'sizes' | 'vendors'>) {
  const t = useT()
  const nameIn = useNameIn()
  return (
    <>
      <ul className="mb-4 flex flex-wrap justify-center gap-2">
        {sizes.map((size) => (
          <li key={size}>
            <Link to="/" search={{ size }} className={chipClass(false)}>
              <Size size={size} />
            </Link>
          </li>
        ))}
        {vendors.map((vendor) => (
          <li key={vendor.id}>
            <Link to="/" search={{ vendor: vendor.id }} className={chipClass(false)}>
              <bdi>{nameIn(vendor)}</bdi>
            </Link>
          </li>
        ))}
      </ul>
      <Link to="/" className={buttonClass('aqua')}>
        {t('catalogue.reset')}
      </Link>
    </>
  )
}

/** Without a filter there is nothing to try instead: the shop is being set up. */
export function NothingFound({ isFiltered }: { isFiltered: boolean }) {
  const t = useT()
  return (
    <div className="py-10">
      <EmptyState title={t('search.none')} text={isFiltered && t('search.noneHint')}>
        {isFiltered && (
          <Link to="/" className={buttonClass('aqua')}>
            {t('catalogue.reset')}
          </Link>
        )}
      </EmptyState>
    </div>
  )
}
