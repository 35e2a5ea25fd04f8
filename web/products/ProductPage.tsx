import { inLang, nameIn } from '@qatra/contract/lib/lang'
import { formatMoney, fromBhd } from '@qatra/contract/lib/money'
import { getProduct, type Product } from '@qatra/contract/products/products'
import { formatSize } from '@qatra/contract/products/sizes'
import { sizeTitle } from '@qatra/contract/products/unit-name'
import { waterTexts } from '@qatra/contract/products/water'
import { getSite } from '@qatra/contract/settings/site'
import { getVendorRecord } from '@qatra/contract/vendors/record'
import type { Vendor } from '@qatra/contract/vendors/vendors'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useEffect } from 'react'
import { track } from '../analytics/events.ts'
import { trackedItem } from '../analytics/items.ts'
import { useInLang, useNameIn, useSizedName } from '../app/names.ts'
import type { Head, HeadRequest, Page, PageRequest } from '../app/page.ts'
import { CartPanel } from '../cart/CartPanel.tsx'
import { loadCart } from '../cart/filled-cart.ts'
import { useOutside } from '../cart/outside.ts'
import { QuantityStepper } from '../cart/QuantityStepper.tsx'
import { useQuantities } from '../cart/use-quantities.ts'
import { productsQuery, useVendor, vendorsQuery } from '../catalogue/api.ts'
import { useUnitText } from '../catalogue/unit.ts'
import { read } from '../lib/api-client.ts'
import { useLanguage, useT } from '../lib/language/i18n.tsx'
import { Money, Size } from '../ui/Bidi.tsx'
import { StartIcon } from '../ui/icons.tsx'
import { ProductWell, WellBadge } from '../ui/ProductWell.tsx'
import { VendorEmblem } from '../ui/VendorEmblem.tsx'
import { ContactButtons } from '../vendors/ContactButtons.tsx'
import { cached, productData } from './head.ts'
import { LitrePrice } from './LitrePrice.tsx'
import { VendorSection, VendorTerms } from './VendorSection.tsx'

const productQuery = (id: string) => read(getProduct, { params: { id } })

function ProductPage() {
  const { id = '' } = useParams({ strict: false })
  const words = useLanguage()
  const { t } = words
  const nameIn = useNameIn()
  const sizedName = useSizedName()
  const inLang = useInLang()
  const unitText = useUnitText()
  const { data: product } = useQuery(productQuery(id))
  const { data: products = [] } = useQuery(productsQuery())
  const vendor = useVendor(product?.vendorId ?? null)
  const { setQuantity } = useQuantities()
  const { outside } = useOutside()
  useEffect(() => {
    if (product) track('view_content', { item: trackedItem(product) })
  }, [product])
  if (!product || !vendor) return null
  const name = nameIn(product)
  const others = products.filter((one) => one.vendorId === vendor.id && one.id !== product.id)
  return (
    <div className="wrap grid items-start gap-10 pb-8 md:pt-6 lg:grid-cols-[minmax(0,1fr)_336px]">
      <main id="main" className="min-w-0">
        <Link
          to="/"
          search={{ vendor: vendor.id }}
          className="-ms-2 inline-flex min-h-tap items-center gap-1 rounded-m px-2 text-aqua-ink"
        >
          <StartIcon size={20} aria-hidden="true" />
          {t('catalogue.allOf', { vendor: nameIn(vendor) })}
        </Link>
        <div className="grid gap-5 sm:grid-cols-2 md:gap-8">
          <div>
            <ProductWell isLarge size={product.size} imageUrl={product.imageUrl} tint={vendor.tint}>
              <WellBadge>
                <Size size={product.size} />
              </WellBadge>
            </ProductWell>
          </div>
          <div className="flex flex-col">
            <h1 dir="auto" className="text-start text-display">
              {name}
            </h1>
            <p className="dots text-ink-3">
              {product.bottle ? <span>{sizeTitle(words, product)}</span> : <Size size={product.size} />}
              {!product.bottle && unitText(product) && <span>{unitText(product)}</span>}
            </p>
            <p className="mt-3 text-title">
              <span className="sr-only">{t('catalogue.price')}: </span>
              <Money bhd={product.price} /> <LitrePrice product={product} />
            </p>
            {product.vatPercentage > 0 && (
              <p className="text-label text-ink-3">{t('catalogue.vatNote', { percent: product.vatPercentage })}</p>
            )}
            {product.bottle?.terms === 'exchange' && (
              <p className="text-label text-ink-3">
                {t('totals.deposit')} <Money bhd={product.bottle.deposit} />
              </p>
            )}
            {/* Before the description, so that the floating cart of a phone does not cover it at first. */}
            <QuantityStepper
              productId={product.id}
              name={sizedName(product)}
              isQuiet={outside(vendor.id) !== undefined}
              onChange={(next) => setQuantity(product, next)}
              className="mt-3 w-full max-w-75"
            />
            <p dir="auto" className="mt-4 text-start text-ink-2">
              {inLang(product.description, product.descriptionAr)}
            </p>
            <WaterTable product={product} />
            <div className="mt-6 flex items-center gap-3 border-t border-line pt-4">
              <VendorEmblem emblem={vendor.emblem} tint={vendor.tint} name={nameIn(vendor)} logoUrl={vendor.logoUrl} />
              <div>
                <p className="font-strong">{t('catalogue.productFrom', { vendor: nameIn(vendor) })}</p>
                <p className="text-label text-ink-3">
                  <VendorTerms vendor={vendor} />
                </p>
                <Record vendorId={vendor.id} />
              </div>
            </div>
            <div className="mt-3">
              <ContactButtons vendor={vendor} />
            </div>
          </div>
        </div>
        {others.length > 0 && (
          <VendorSection
            section={{ vendor, products: others }}
            isWhole={false}
            title={t('catalogue.more', { vendor: nameIn(vendor) })}
            className="mt-7"
          />
        )}
      </main>
      <CartPanel />
    </div>
  )
}

/** What the vendor delivered lately, once it is read after the page. */
function Record({ vendorId }: { vendorId: number }) {
  const t = useT()
  const { data } = useQuery(read(getVendorRecord, { params: { id: String(vendorId) } }))
  if (!data || data.delivered === null || data.onTime === null) return null
  return (
    <p className="text-label text-ink-3">{t('catalogue.record', { count: data.delivered, percent: data.onTime })}</p>
  )
}

function WaterTable({ product }: { product: Product }) {
  const words = useLanguage()
  const facts = waterTexts(words, product)
  if (facts.length === 0) return null
  return (
    <section aria-labelledby="water-facts" className="mt-5">
      <h2 id="water-facts" className="text-label font-strong">
        {words.t('catalogue.water')}
      </h2>
      <dl className="mt-1 text-label">
        {facts.map(({ name, label, text }) => (
          <div key={name} className="flex justify-between gap-4 border-b border-line py-1.5 last:border-0">
            <dt className="text-ink-2">{label}</dt>
            <dd className="text-end">
              <bdi>{text}</bdi>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

async function load({ queries, params: { id = '' } }: PageRequest) {
  await Promise.all([
    queries.ensureQueryData(productQuery(id)),
    queries.ensureQueryData(vendorsQuery()),
    queries.ensureQueryData(productsQuery()),
    loadCart(queries),
    queries.ensureQueryData(read(getSite)),
  ])
}

function head(request: HeadRequest) {
  const { queries, params, t } = request
  const product = queries.getQueryData(productQuery(params.id ?? '').queryKey)
  const vendor = queries.getQueryData(vendorsQuery().queryKey)?.find(({ id }) => id === product?.vendorId)
  if (!product || !vendor) return { title: t('shell.title.notFound'), hidden: true }
  return productHead(product, vendor, request)
}

function productHead(product: Product, vendor: Vendor, { queries, t, lang }: HeadRequest): Head {
  const words = {
    name: nameIn(lang, product),
    size: formatSize(product.size, lang),
    vendor: nameIn(lang, vendor),
    price: formatMoney(fromBhd(product.price), lang),
  }
  const origin = cached(queries).site?.origin ?? ''
  return {
    title: t('catalogue.productTitle', words),
    description: inLang(lang, product.description, product.descriptionAr) || t('catalogue.productDescription', words),
    canonical: `/products/${product.id}`,
    ...(import.meta.env.SSR && { jsonLd: productData(product, vendor, { lang, origin }) }),
    ...(product.imageUrl ? { image: product.imageUrl } : {}),
  }
}

export const page: Page = { Component: ProductPage, load, head }
