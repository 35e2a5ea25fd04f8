import { bahrainDate, formatDay } from '@qatra/contract/calendar/calendar'
import { formatMoney, fromBhd } from '@qatra/contract/lib/money'
import type { AdminProduct } from '@qatra/contract/products/admin'
import { useMemo, useState } from 'react'
import { useNameIn } from '../../app/names.ts'
import { useUnitText } from '../../catalogue/unit.ts'
import { useLang, useT } from '../../lib/language/i18n.tsx'
import type { Column } from '../../ui/admin/table/table-columns.tsx'
import { Size } from '../../ui/Bidi.tsx'
import { ProductThumb } from '../../ui/ProductPicture.tsx'
import { type AdminVendor, useMayWrite } from './api.ts'
import { useProductActions } from './use-product-actions.ts'

/** Amount without the currency, which is in the foot of the table. */
const plainMoney = (bhd: number) => formatMoney(fromBhd(bhd), 'en').replace('BHD\u00a0', '')

/** Columns of the list; the vendor column only if there are several vendors. */
export function useProductColumns(vendors: readonly AdminVendor[], isSuper: boolean): readonly Column<AdminProduct>[] {
  const t = useT()
  const lang = useLang()
  const nameIn = useNameIn()
  const unitText = useUnitText()
  return useMemo(() => {
    const vendorOf = (id: number) => vendors.find((vendor) => vendor.id === id)
    const columns: Column<AdminProduct>[] = [
      {
        key: 'name',
        title: t('adminProducts.column.name'),
        sortable: true,
        fixed: true,
        cell: (product) => (
          <span className="flex min-w-0 items-center gap-2.5">
            <ProductThumb
              size={product.size}
              imageUrl={product.imageUrl}
              tint={vendorOf(product.vendorId)?.tint ?? null}
              px={36}
            />
            <bdi className="truncate leading-[1.7] font-strong">{nameIn(product)}</bdi>
          </span>
        ),
      },
      {
        key: 'otherName',
        title: t('adminProducts.column.otherName'),
        from: 'xl',
        cell: ({ name, nameAr }) => (
          <bdi className="truncate leading-[1.7] text-ink-2">{lang === 'ar' ? name : nameAr}</bdi>
        ),
      },
      {
        key: 'size',
        title: t('adminProducts.column.size'),
        width: 104,
        sortable: true,
        cell: ({ size }) => <Size size={size} />,
      },
      {
        key: 'unit',
        title: t('adminProducts.column.unit'),
        width: 132,
        from: 'lg',
        cell: (product) => (
          <span className="grid min-w-0 leading-[1.7] text-ink-2">
            <bdi className="truncate">{unitText(product) || '–'}</bdi>
            {product.bottle && (
              <span className="truncate text-caption">{t(`adminProducts.bottle.short.${product.bottle.terms}`)}</span>
            )}
          </span>
        ),
      },
      {
        key: 'vat',
        title: t('adminProducts.column.vat'),
        width: 84,
        align: 'end',
        from: 'lg',
        cell: ({ vatPercentage }) => <bdi className="text-ink-2">{vatPercentage}%</bdi>,
      },
      {
        key: 'price',
        title: t('adminProducts.column.price'),
        width: 104,
        align: 'end',
        sortable: true,
        cell: ({ price }) => <bdi className="font-strong">{plainMoney(price)}</bdi>,
      },
      {
        key: 'updatedAt',
        title: t('adminProducts.column.updated'),
        width: 128,
        align: 'end',
        from: 'xl',
        sortable: true,
        hiddenAtFirst: true,
        cell: ({ updatedAt }) => (
          <span className="text-ink-2">{formatDay(bahrainDate(new Date(updatedAt)), lang, 'short')}</span>
        ),
      },
      {
        key: 'active',
        title: t('adminProducts.active'),
        width: 84,
        align: 'end',
        fixed: true,
        cell: (product) => <OfferSwitch product={product} />,
      },
    ]
    const vendor: Column<AdminProduct> = {
      key: 'vendor',
      title: t('admin.vendor'),
      width: 128,
      from: 'lg',
      cell: ({ vendorId }) => {
        const found = vendorOf(vendorId)
        return <bdi className="truncate leading-[1.7] text-ink-2">{found ? nameIn(found) : vendorId}</bdi>
      },
    }
    return isSuper ? [...columns.slice(0, 2), vendor, ...columns.slice(2)] : columns
  }, [t, lang, nameIn, unitText, vendors, isSuper])
}

/** Shows or hides a product in the shop, with "Undo". */
function OfferSwitch({ product }: { product: AdminProduct }) {
  const t = useT()
  const nameIn = useNameIn()
  const mayWrite = useMayWrite()
  const { offer } = useProductActions()
  const [wanted, setWanted] = useState<boolean | null>(null)
  const isOn = wanted ?? product.isActive
  return (
    <input
      type="checkbox"
      role="switch"
      className="switch align-middle"
      aria-label={t('adminProducts.offer', { name: nameIn(product) })}
      aria-checked={isOn}
      checked={isOn}
      disabled={!mayWrite}
      aria-busy={wanted !== null || undefined}
      onClick={(event) => event.stopPropagation()}
      onKeyDown={(event) => event.stopPropagation()}
      onChange={(event) => {
        if (wanted !== null) return
        setWanted(event.target.checked)
        void offer(product, event.target.checked).finally(() => setWanted(null))
      }}
    />
  )
}
