import { slotOf, slotWords } from '@qatra/contract/calendar/slot'
import { formatMoney, fromBhd } from '@qatra/contract/lib/money'
import type { Product } from '@qatra/contract/products/products'
import { compareSizes, sizeKey } from '@qatra/contract/products/sizes'
import type { Vendor } from '@qatra/contract/vendors/vendors'
import { Link } from '@tanstack/react-router'
import { deliversTo, useDeliveryArea } from '../app/delivery-area.ts'
import { useNameIn } from '../app/names.ts'
import type { HomeSearch } from '../app/routes/search.ts'
import { useOutside } from '../cart/outside.ts'
import { useQuantities } from '../cart/use-quantities.ts'
import type { Section } from '../catalogue/api.ts'
import { useLang, useLanguage, useT } from '../lib/language/i18n.tsx'
import { EndIcon } from '../ui/icons.tsx'
import { VendorEmblem } from '../ui/VendorEmblem.tsx'
import { ContactButtons } from '../vendors/ContactButtons.tsx'
import { ProductCard } from './ProductCard.tsx'

/** One row on a wide screen, two on a phone; "All products" shows the rest. */
const FEW = 4

/** Ordered by volume; the vendor's first product of each size. */
function oneOfEachSize(products: readonly Product[]): Product[] {
  const first = new Map<string, Product>()
  for (const product of [...products].sort((a, b) => a.id - b.id)) {
    const key = sizeKey(product.size)
    if (!first.has(key)) first.set(key, product)
  }
  return [...first.values()].sort((a, b) => compareSizes(a.size, b.size))
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
  /** Replaces name, terms and contact if the page shows them above. */
  title?: string
}

export function VendorSection({ section: { vendor, products }, isWhole, showsDay, title }: VendorSectionProps) {
  const shown = isWhole ? products : oneOfEachSize(products).slice(-FEW)
  return (
    <section aria-labelledby={`vendor-${vendor.id}`}>
      <VendorHead vendor={vendor} isWhole={isWhole} showsDay={showsDay} title={title} />
      <VendorProducts tint={vendor.tint} products={shown} />
      {!title && <ContactButtons vendor={vendor} isQuiet />}
    </section>
  )
}

function VendorHead({ vendor, isWhole, showsDay, title }: { vendor: Vendor } & Omit<VendorSectionProps, 'section'>) {
  const { t, lang } = useLanguage()
  const name = useNameIn()(vendor)
  const area = useDeliveryArea()
  return (
    <div className="flex items-center gap-2.5 pt-4.5 pb-3 md:gap-3 md:pt-7.5 md:pb-3.5">
      {!title && <VendorEmblem emblem={vendor.emblem} tint={vendor.tint} name={name} logoUrl={vendor.logoUrl} />}
      <div className="min-w-0">
        <h2
          id={`vendor-${vendor.id}`}
          dir="auto"
          className="text-start text-heading md:text-[1.25rem] md:leading-[1.4]"
        >
          {title ?? name}
        </h2>
        {!title && (
          <p className="text-label text-ink-3">
            <VendorTerms vendor={vendor} />
          </p>
        )}
        {showsDay && (!area || deliversTo(area, vendor.id)) && (
          <p className="text-label text-aqua-ink">
            {t('catalogue.arrives', { day: slotWords(slotOf(vendor), lang, 'short') })}
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
function VendorProducts({ tint, products }: { tint: string | null; products: readonly Product[] }) {
  const { cart, setQuantity } = useQuantities()
  const { outside } = useOutside()
  const quantityOf = (id: number) => cart.items.find(({ productId }) => productId === id)?.quantity ?? 0
  return (
    <div className="grid grid-cols-[repeat(auto-fill,minmax(8.5rem,1fr))] gap-x-3 gap-y-6 md:grid-cols-4 md:gap-x-5 md:gap-y-7">
      {products.map((product) => (
        <ProductCard
          key={product.id}
          product={product}
          tint={tint}
          quantity={quantityOf(product.id)}
          isOutside={outside(product.vendorId) !== undefined}
          onQuantity={setQuantity}
        />
      ))}
    </div>
  )
}
