import { isWholeFils } from '@qatra/contract/lib/money'
import { useInLang } from '../../app/names.ts'
import { useUnitText } from '../../catalogue/unit.ts'
import { useT } from '../../lib/language/i18n.tsx'
import { Money, Size } from '../../ui/Bidi.tsx'
import { PlusIcon } from '../../ui/icons.tsx'
import { ProductWell, WellBadge } from '../../ui/ProductPicture.tsx'
import type { ProductValues } from './product-form.ts'

/** The shop's product card with the current values of the form. */
export function CardPreview({ values, tint }: { values: ProductValues; tint: string | null }) {
  const t = useT()
  const inLang = useInLang()
  const unitText = useUnitText()
  const { size, price } = values
  const hasPrice = price !== null && price > 0 && price <= 10_000 && isWholeFils(price)
  const unit = unitText({
    inventoryUnit: values.inventoryUnit || null,
    inventoryUnitAr: values.inventoryUnitAr || null,
    unitsPerInventoryUnit: values.unitsPerInventoryUnit ?? 1,
  })
  return (
    <section aria-label={t('adminProducts.preview')} className="mx-auto w-full max-w-55">
      <p className="mb-2 text-caption text-ink-3">{t('adminProducts.preview')}</p>
      <ProductWell size={size || '500ml'} imageUrl={values.imageUrl || null} tint={tint}>
        {size !== '' && (
          <WellBadge>
            <Size size={size} />
          </WellBadge>
        )}
      </ProductWell>
      <p dir="auto" className="mt-2.5 text-start text-body leading-normal font-strong wrap-anywhere">
        {inLang(values.name || null, values.nameAr || null) || (
          <span className="text-ink-3">{t('adminProducts.previewName')}</span>
        )}
      </p>
      <p className="min-h-6 text-label text-ink-3">{unit}</p>
      <p className="mt-0.5 mb-2 text-heading">
        {hasPrice ? <Money bhd={price} /> : <span className="text-ink-3">–</span>}
      </p>
      <span aria-hidden="true" className="flex h-11 items-center justify-end rounded-m bg-well">
        <span className="grid size-11 place-items-center rounded-m bg-aqua text-on-aqua">
          <PlusIcon size={20} />
        </span>
      </span>
    </section>
  )
}
