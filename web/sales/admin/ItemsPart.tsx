import type { FreeBottles } from '@qatra/contract/bottles'
import { formatMoney, fromBhd } from '@qatra/contract/lib/money'
import type { Product } from '@qatra/contract/products/products'
import { formatSize, silhouetteOf } from '@qatra/contract/products/sizes'
import type { Vendor } from '@qatra/contract/vendors/vendors'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useNameIn } from '../../app/names.ts'
import { useLanguage } from '../../lib/language/i18n.tsx'
import { Combobox } from '../../ui/admin/form/Combobox.tsx'
import { Bottle } from '../../ui/Bottle.tsx'
import { WarningIcon } from '../../ui/icons.tsx'
import { priceFloorsQuery } from './api.ts'
import { linesWithEmpties } from './draft.ts'
import { adderId } from './ids.ts'
import { SaleLine } from './SaleLine.tsx'
import type { Sale } from './use-sale.ts'

interface ItemsPartProps {
  sale: Sale
  products: ReadonlyMap<number, Product> | null
  vendors: readonly Vendor[]
  vendorId: number | null
  /** Bottles of the customer; undefined while the customer is not known. */
  free: FreeBottles | undefined
}

/** The items of the order: product by name or size, quantity, next product. */
export function ItemsPart({ sale, products, vendors, vendorId, free }: ItemsPartProps) {
  const { t, lang } = useLanguage()
  const nameIn = useNameIn()
  const { draft, problems, add } = sale
  const { data: floors = [] } = useQuery(priceFloorsQuery())
  const tintOf = useMemo(() => new Map(vendors.map((vendor) => [vendor.id, vendor.tint])), [vendors])
  const options = useMemo(
    () =>
      products &&
      [...products.values()]
        .filter((product) => vendorId === null || product.vendorId === vendorId)
        .map((product) => ({
          value: product.id,
          label: `${nameIn(product)} · ${formatSize(product.size, lang)}`,
          hint: formatMoney(fromBhd(product.price), lang),
          also: `${product.name} ${product.nameAr ?? ''} ${product.size} ${formatSize(product.size, 'ar')} ${formatSize(product.size, 'en')}`,
          picture: (
            <Bottle
              shape={silhouetteOf(product.size)}
              tint={tintOf.get(product.vendorId)}
              height={34}
              className="flex-none"
            />
          ),
        })),
    [products, vendorId, lang, nameIn, tintOf],
  )
  return (
    <section aria-labelledby="sale-items-title" className="grid gap-3.5">
      <h2 id="sale-items-title" className="text-heading">
        {t('sale.items')}
      </h2>
      {draft.lines.length > 0 ? (
        <ul className="grid">
          {linesWithEmpties(draft, products ?? new Map(), free ?? {}).map(({ empties, held }, at) => {
            const line = draft.lines[at]
            if (!line) return null
            const product = products?.get(line.productId)
            return product ? (
              <SaleLine
                key={line.productId}
                sale={sale}
                line={line}
                empties={empties}
                held={free ? held : null}
                at={at}
                product={product}
                tint={tintOf.get(product.vendorId) ?? null}
                floor={floors.find((floor) => floor.vendorId === product.vendorId)?.percent ?? null}
              />
            ) : null
          })}
        </ul>
      ) : (
        <p className="text-ink-2">{t('sale.noItemsHint')}</p>
      )}
      <div id={adderId} data-stop="">
        <Combobox
          label={t('sale.add')}
          placeholder={t('sale.addHint')}
          value={null}
          options={options ?? undefined}
          onChange={(id) => {
            if (id !== null) add(id)
          }}
        />
        {problems['items'] && (
          <p role="alert" className="mt-1.5 flex items-start gap-1.5 text-label text-clay">
            <WarningIcon size={16} aria-hidden="true" className="mt-0.75" />
            {problems['items']}
          </p>
        )}
      </div>
    </section>
  )
}
