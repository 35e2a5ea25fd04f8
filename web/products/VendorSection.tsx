import { slotOf, slotWords } from '@qatra/contract/calendar/slot'
import { formatMoney, fromBhd } from '@qatra/contract/lib/money'
import type { Product } from '@qatra/contract/products/products'
import { compareSizes, sizeKey } from '@qatra/contract/products/sizes'
import type { Vendor } from '@qatra/contract/vendors/vendors'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { deliversTo, useDeliveryArea } from '../app/delivery-area.ts'
import { useNameIn } from '../app/names.ts'
import type { HomeSearch } from '../app/routes/search.ts'
import { useOutside } from '../cart/outside.ts'
import { useQuantities } from '../cart/use-quantities.ts'
import { productsQuery, type Section } from '../catalogue/api.ts'
import { useLang, useLanguage, useT } from '../lib/language/i18n.tsx'
import { EndIcon } from '../ui/icons.tsx'
import { VendorEmblem } from '../ui/VendorEmblem.tsx'
import { cardFacts, nextPriceOf } from './card-facts.ts'
import { ProductCard } from './ProductCard.tsx'

/** One row on a wide screen, two on a phone; "All products" shows the rest. */
const FEW = 4

/** The vendor's first product of each size: what most orders have, then the largest. */
function oneOfEachSize(products: readonly Product[]): Product[] {
  const first = new Map<string, Product>()
  for (const product of [...products].sort((a, b) => a.id - b.id)) {
    const key = sizeKey(product.size)
    if (!first.has(key)) first.set(key, product)
  }
  const rank = ({ isMostOrdered }: Product) => (isMostOrdered ? 0 : 1)
  return [...first.values()].sort((a, b) => rank(a) - rank(b) || compareSizes(b.size, a.size))
}

/** Fee and minimum in one line; or that the vendor does not deliver to the chosen area. */
export function VendorTerms({ vendor }: { vendor: Vendor }) {
  const t = useT()
  const lang = useLang()
  const nameIn = useNameIn()
  const area = useDeliveryArea()
  const amount = (bhd: number) => formatMoney(fromBhd(bhd), lang)
  const { deliveryFee, minDeliveryAmount } = vendor
  if (area && !deliversTo(area, vendor.id)) return t('catalogue.notTo', { area: nameIn(area) })
  return (
    <span className="dots">
      <bdi>
        {deliveryFee === 0 ? t('catalogue.vendorFree') : t('catalogue.vendorFee', { amount: amount(deliveryFee) })}
      </bdi>
      {minDeliveryAmount > 0 && <bdi>{t('catalogue.vendorMinimum', { amount: amount(minDeliveryAmount) })}</bdi>}
    </span>
  )
}

interface VendorSectionProps {
  section: Section
  /** All products, or the first few with a link to the rest. */
  isWhole: boolean
  /** Shows the vendor's promised day; set if the vendors on the page differ. */
  showsDay?: boolean
  /** The products stand in the order in which they are wanted. */
  isSorted?: boolean
  /** Replaces name, terms and contact if the page shows them above. */
  title?: string
  className?: string
}

export function VendorSection({ section, isWhole, isSorted, showsDay, title, className }: VendorSectionProps) {
  const { vendor, products } = section
  const shown = isWhole ? products : (isSorted ? products : oneOfEachSize(products)).slice(0, FEW)
  return (
    <section aria-labelledby={`vendor-${vendor.id}`} className={className}>
      <VendorHead vendor={vendor} isWhole={isWhole} showsDay={showsDay} title={title} />
      <VendorProducts vendor={vendor} products={shown} />
    </section>
  )
}

function VendorHead({ vendor, isWhole, showsDay, title }: { vendor: Vendor } & Omit<VendorSectionProps, 'section'>) {
  const { t, lang } = useLanguage()
  const name = useNameIn()(vendor)
  const area = useDeliveryArea()
  return (
    <div className="flex items-center gap-2.5 pb-1.5">
      {!title && (
        <VendorEmblem emblem={vendor.emblem} tint={vendor.tint} name={name} logoUrl={vendor.logoUrl} size={36} />
      )}
      <div className="min-w-0">
        <div className="flex flex-wrap items-baseline gap-x-2.5">
          <h2 id={`vendor-${vendor.id}`} dir="auto" className="text-start text-heading leading-[1.3]">
            {title ?? name}
          </h2>
          {showsDay && (!area || deliversTo(area, vendor.id)) && (
            <p className="text-label leading-[1.3] text-aqua-ink">
              {t('catalogue.arrives', { day: slotWords(slotOf(vendor), lang, 'short') })}
            </p>
          )}
        </div>
        {!title && (
          <p className="text-label leading-[1.5] text-ink-3">
            <VendorTerms vendor={vendor} />
          </p>
        )}
      </div>
      {!isWhole && (
        <Link
          to="/"
          search={(old: HomeSearch) => ({ ...old, vendor: vendor.id })}
          aria-label={`${t('catalogue.allProducts')}: ${name}`}
          className="-me-3.5 ms-auto flex h-tap min-w-tap shrink-0 items-center justify-center gap-0.5 rounded-m px-2 text-[0.9375rem] font-strong text-aqua-ink md:-me-2"
        >
          <span className="sr-only md:not-sr-only">{t('catalogue.allProducts')}</span>
          <EndIcon size={20} aria-hidden="true" />
        </Link>
      )}
    </div>
  )
}

/** Separate component, so that a cart change does not render the head with its links. */
function VendorProducts({ vendor, products }: { vendor: Vendor; products: readonly Product[] }) {
  const { data: all = [] } = useQuery(productsQuery())
  const { facts, own } = useMemo(() => {
    const own = all.filter(({ vendorId }) => vendorId === vendor.id)
    return { own, facts: cardFacts(own) }
  }, [all, vendor.id])
  const { setQuantity } = useQuantities()
  const { outside } = useOutside()
  return (
    <div className="grid grid-cols-[repeat(auto-fill,minmax(8.5rem,1fr))] gap-x-3 gap-y-5 md:grid-cols-4 md:gap-x-5 md:gap-y-6">
      {products.map((product) => (
        <ProductCard
          key={product.id}
          product={product}
          tint={vendor.tint}
          fact={facts.get(product.id)}
          nextPrice={nextPriceOf(product, own)}
          isOutside={outside(product.vendorId) !== undefined}
          onQuantity={setQuantity}
        />
      ))}
    </div>
  )
}
