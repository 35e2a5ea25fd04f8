import { formatMoney, fromBhd } from '@qatra/contract/lib/money'
import { formatPhone } from '@qatra/contract/lib/phone'
import { formatOrderId } from '@qatra/contract/orders/order-id'
import { formatSize } from '@qatra/contract/products/sizes'
import { type SoldUnit, unitName } from '@qatra/contract/products/unit-name'
import { useLang, useLanguage } from '../lib/language/i18n.tsx'

/** `BHD 1.500` or `1.500 د.ب`, from an amount in BHD as in the API. */
export function Money({ bhd, className }: { bhd: number; className?: string }) {
  return <bdi className={className}>{formatMoney(fromBhd(bhd), useLang())}</bdi>
}

export function Size({ size }: { size: string }) {
  return <bdi>{formatSize(size, useLang())}</bdi>
}

/** For a text that is not in parts (class `dots`): no point between two of them begins or ends a line. */
export const tiedDots = (text: string): string => text.replaceAll(' · ', '\u00a0·\u00a0')

/** Size and unit of sale, as two parts of a line with the class `dots`: `500 ml · Carton of 24`. */
export function UnitOf({ product }: { product: SoldUnit }) {
  const unit = unitName(useLanguage(), product)
  return (
    <>
      <Size size={product.size} /> {unit && <bdi>{unit}</bdi>}
    </>
  )
}

export function Phone({ phone, className }: { phone: string; className?: string }) {
  return (
    <bdi dir="ltr" className={className}>
      {formatPhone(phone)}
    </bdi>
  )
}

/** A person's name, or the phone of a person without one. */
export function NameOrPhone({ name, phone, className }: { name: string | null; phone: string; className?: string }) {
  return name ? <bdi className={className}>{name}</bdi> : <Phone phone={phone} className={className} />
}

/** In groups of four. */
export function OrderId({ id, className }: { id: string; className?: string }) {
  return (
    <bdi dir="ltr" className={className}>
      {formatOrderId(id)}
    </bdi>
  )
}
