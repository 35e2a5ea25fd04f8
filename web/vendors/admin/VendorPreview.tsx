import { formatMoney, nearestFils } from '@qatra/contract/lib/money'
import { useNameIn } from '../../app/names.ts'
import { useLang, useT } from '../../lib/language/i18n.tsx'
import { Bottles } from '../../ui/Bottle.tsx'
import { VendorEmblem } from '../../ui/VendorEmblem.tsx'

export interface PreviewedVendor {
  name: string
  nameAr: string | null
  logoUrl: string | null
  tint: string | null
  emblem: string | null
  deliveryFee: number | null
  minDeliveryAmount: number | null
}

/** The typed amount; empty while it is invalid. */
function useAmount() {
  const lang = useLang()
  return (bhd: number | null) => {
    if (bhd === null || !Number.isFinite(bhd) || bhd < 0) return '…'
    return formatMoney(nearestFils(bhd), lang)
  }
}

/** Preview of the vendor's section head in the shop, with bottles in its colour. */
export function VendorPreview({ vendor }: { vendor: PreviewedVendor }) {
  const t = useT()
  const amount = useAmount()
  const name = useNameIn()(vendor) || t('admin.vendors.unnamed')
  const { deliveryFee, minDeliveryAmount } = vendor
  return (
    <figure className="rounded-l bg-well p-4">
      <figcaption className="mb-3 text-caption text-ink-3">{t('admin.vendors.preview')}</figcaption>
      <div className="flex items-center gap-3">
        <VendorEmblem emblem={vendor.emblem} tint={vendor.tint} name={name} logoUrl={vendor.logoUrl} />
        <div className="min-w-0 flex-1">
          <p dir="auto" className="truncate text-start text-heading leading-relaxed">
            {name}
          </p>
          <p className="text-label text-ink-3">
            <bdi>
              {deliveryFee === 0 ? t('admin.vendors.free') : t('admin.vendors.feeIs', { amount: amount(deliveryFee) })}
            </bdi>
            {minDeliveryAmount !== 0 && (
              <>
                {' · '}
                <bdi>{t('admin.vendors.minimumIs', { amount: amount(minDeliveryAmount) })}</bdi>
              </>
            )}
          </p>
        </div>
        <div className="flex flex-none items-end gap-1">
          <Bottles size="500ml" tint={vendor.tint} height={54} />
          <Bottles size="5 gallon" tint={vendor.tint} height={64} />
        </div>
      </div>
    </figure>
  )
}

/** Explains a cut-off time as customers see it. */
export function CutOffMeaning({ cutOff }: { cutOff: string | null }) {
  const t = useT()
  if (cutOff !== null && !/^([01]\d|2[0-3]):[0-5]\d$/.test(cutOff)) return null
  return (
    <p className="rounded-m bg-gulf-soft px-3.5 py-2.5 text-gulf">
      {cutOff === null ? t('admin.vendors.cutOff.none') : t('admin.vendors.cutOff.means', { time: cutOff })}
    </p>
  )
}
