import { inLang, nameIn } from '@qatra/contract/lib/lang'
import { plainAmount } from '@qatra/contract/lib/money'
import { listProducts, type Product } from '@qatra/contract/products/products'
import { formatSize } from '@qatra/contract/products/sizes'
import { getSite, type Site } from '@qatra/contract/settings/site'
import type { Vendor } from '@qatra/contract/vendors/vendors'
import type { QueryClient } from '@tanstack/react-query'
import type { Head, HeadRequest } from '../app/page.ts'
import { vendorsQuery } from '../catalogue/api.ts'
import { read } from '../lib/api-client.ts'

/** What the loaders of the catalogue's pages have put into the cache. */
export const cached = (queries: QueryClient) => ({
  vendors: queries.getQueryData(vendorsQuery().queryKey) ?? [],
  products: queries.getQueryData(read(listProducts).queryKey) ?? [],
  site: queries.getQueryData(read(getSite).queryKey),
})

function offerOf(product: Product, url: string) {
  return {
    '@type': 'Offer',
    price: plainAmount(product.price),
    priceCurrency: 'BHD',
    availability: 'https://schema.org/InStock',
    url,
  }
}

/** schema.org Product with its Offer in BHD. */
export function productData(
  product: Product,
  vendor: Vendor,
  { lang, origin }: { lang: HeadRequest['lang']; origin: string },
) {
  const url = `${origin}/products/${product.id}`
  return {
    '@context': 'https://schema.org',
    '@type': 'Product',
    name: nameIn(lang, product),
    description: inLang(lang, product.description, product.descriptionAr) || nameIn(lang, product),
    size: formatSize(product.size, lang),
    image: `${origin}${product.imageUrl ?? '/icon-512.png'}`,
    brand: { '@type': 'Brand', name: nameIn(lang, vendor) },
    offers: offerOf(product, url),
  }
}

/** The entered facts as properties of a schema.org Organization; missing ones are left out. */
export function companyData({ company, support, social }: Site, lang: HeadRequest['lang']) {
  const contact = { telephone: support.phone ?? support.whatsapp, email: support.email }
  const streetAddress = inLang(lang, company.address, company.addressAr)
  const entered = {
    legalName: inLang(lang, company.name, company.nameAr),
    address: streetAddress && { '@type': 'PostalAddress', streetAddress, addressCountry: 'BH' },
    vatID: company.vatNumber,
    ...contact,
    sameAs: Object.values(social).filter(Boolean),
  }
  return Object.fromEntries(Object.entries(entered).filter(([, value]) => (Array.isArray(value) ? value[0] : value)))
}

/**
 * Title of the catalogue or of one vendor. A size is only a filter and does not change it. Only the server writes structured
 * data, so its code is not part of the first visit.
 */
export function homeHead({ queries, search, t, lang }: HeadRequest): Head {
  const { vendors, products, site } = cached(queries)
  const vendor = vendors.find(({ id }) => id === search.vendor)
  const origin = site?.origin ?? ''
  if (!vendor) {
    return {
      title: t('catalogue.title'),
      description: t('catalogue.description'),
      canonical: '/',
      ...(import.meta.env.SSR && {
        jsonLd: {
          '@context': 'https://schema.org',
          '@type': 'OnlineStore',
          name: t('shell.brand'),
          url: origin,
          areaServed: 'BH',
          currenciesAccepted: 'BHD',
          paymentAccepted: 'Cash',
          ...(site && companyData(site, lang)),
        },
      }),
    }
  }
  const name = nameIn(lang, vendor)
  const own = products.filter(({ vendorId }) => vendorId === vendor.id)
  return {
    title: t('catalogue.vendorTitle', { vendor: name }),
    description: t('catalogue.vendorDescription', { vendor: name }),
    canonical: `/?vendor=${vendor.id}`,
    ...(import.meta.env.SSR && {
      jsonLd: {
        '@context': 'https://schema.org',
        '@type': 'ItemList',
        name,
        itemListElement: own.map((product, at) => ({
          '@type': 'ListItem',
          position: at + 1,
          item: productData(product, vendor, { lang, origin }),
        })),
      },
    }),
  }
}
