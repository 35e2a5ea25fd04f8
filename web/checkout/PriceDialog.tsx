import { formatMoney, fromBhd } from '@qatra/contract/lib/money'
import { charges } from '@qatra/contract/orders/totals'
import type { ReactNode } from 'react'
import { useSizedName } from '../app/names.ts'
import { useLanguage } from '../lib/language/i18n.tsx'
import { Money } from '../ui/Bidi.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { Units } from '../ui/Units.tsx'
import type { PriceIncrease } from './use-place-order.ts'

interface PriceDialogProps {
  priceIncrease: PriceIncrease | null
  onAccept(after: PriceIncrease['after']): void
  onRefuse(): void
}

/** Lists higher prices and quantities changed elsewhere that raised the total. One click accepts. */
export function PriceDialog({ priceIncrease, onAccept, onRefuse }: PriceDialogProps) {
  const { t, lang } = useLanguage()
  const sizedName = useSizedName()
  if (!priceIncrease) return null
  const { before, after } = priceIncrease
  const money = (bhd: number) => formatMoney(fromBhd(bhd), lang)
  const old = new Map(before.items.map((item) => [item.productId, item]))
  const prices = [
    ...after.items.map((item) => ({
      key: item.productId,
      name: sizedName(item),
      was: old.get(item.productId)?.price ?? item.price,
      is: item.price,
    })),
    ...([...charges, 'deposit'] as const).map((key) => ({
      key,
      name: t(`totals.${key}`),
      was: before[key],
      is: after[key],
    })),
  ].filter(({ was, is }) => was !== is)
  const quantities = after.items
    .map((item) => ({ item, was: old.get(item.productId)?.quantity ?? 0 }))
    .filter(({ item, was }) => item.quantity !== was)
  return (
    <Dialog
      open
      title={t('checkout.price.title')}
      safe={{ label: t('checkout.price.refuse'), onChoose: onRefuse }}
      action={{ label: t('checkout.price.accept', { total: money(after.total) }), onChoose: () => onAccept(after) }}
    >
      <dl className="mt-2 grid gap-1.5">
        {prices.map(({ key, name, was, is }) => (
          <Change key={key} name={name} was={<Money bhd={was} />} is={<Money bhd={is} />} />
        ))}
        {quantities.map(({ item, was }) => (
          <Change
            key={`${item.productId} quantity`}
            name={sizedName(item)}
            was={<Units of={item} count={was} />}
            is={<Units of={item} count={item.quantity} />}
          />
        ))}
        <Change name={t('totals.total')} was={<Money bhd={before.total} />} is={<Money bhd={after.total} />} isTotal />
      </dl>
    </Dialog>
  )
}

function Change({ name, was, is, isTotal }: { name: string; was: ReactNode; is: ReactNode; isTotal?: boolean }) {
  return (
    <div
      className={
        isTotal
          ? 'flex justify-between gap-3 border-t border-line pt-1.5 font-strong text-ink'
          : 'flex justify-between gap-3'
      }
    >
      <dt dir="auto" className="min-w-0">
        {name}
      </dt>
      <dd className="flex flex-wrap justify-end gap-x-2">
        <del className="font-regular text-ink-3">{was}</del>
        <ins className="no-underline">{is}</ins>
      </dd>
    </div>
  )
}
