import type { APIRequestContext } from '@playwright/test'
import { type Lang, nameIn } from '@qatra/contract/lib/lang'
import type { Product } from '@qatra/contract/products/products'
import { formatSize } from '@qatra/contract/products/sizes'
import type { Vendor } from '@qatra/contract/vendors/vendors'

export interface Named {
  id: number
  name: string
}

/** BHD, with the deposit of somebody who gives no empty bottles. */
export const costOf = ({ price, bottle }: Pick<Product, 'price' | 'bottle'>, quantity: number) =>
  (price + (bottle?.deposit ?? 0)) * quantity

/** Products of the demo seed. */
export function catalogueOf(request: APIRequestContext, lang: Lang) {
  const ask = async <T>(path: string) => (await (await request.get(path)).json()) as T
  return {
    async product(id: number) {
      const product = await ask<Product>(`/api/products/${id}`)
      const name = nameIn(lang, product)
      return { ...product, name, sizedName: `${name} ${formatSize(product.size, lang)}` }
    },
    async vendor(id: number) {
      const vendor = await ask<Vendor>(`/api/vendors/${id}`)
      return { ...vendor, name: nameIn(lang, vendor) }
    },
    async area(code: string) {
      const areas = await ask<(Named & { nameAr: string | null; areaId: string })[]>('/api/areas')
      const area = areas.find(({ areaId }) => areaId === code)
      if (!area) throw new Error(`No area ${code}`)
      return { ...area, name: nameIn(lang, area) }
    },
  }
}
