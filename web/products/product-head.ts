import { inLang, nameIn } from '@qatra/contract/lib/lang'
import { formatMoney, fromBhd } from '@qatra/contract/lib/money'
import type { Product } from '@qatra/contract/products/products'
import { formatSize } from '@qatra/contract/products/sizes'
import type { Vendor } from '@qatra/contract/vendors/vendors'
import type { Head, HeadRequest } from '../app/page.ts'
import { cached, productData } from './head.ts'

export function productHead(product: Product, vendor: Vendor, { queries, t, lang }: HeadRequest): Head {
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
