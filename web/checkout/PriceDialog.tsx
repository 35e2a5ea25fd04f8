import { formatMoney, fromBhd } from '@qatra/contract/money'
import { useLanguage } from '../app/i18n.tsx'
import { useNameIn } from '../app/names.ts'
import { Money } from '../ui/Bidi.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import type { Dearer } from './use-place-order.ts'

interface PriceDialogProps {
  dearer: Dearer | null
  onAccept(after: Dearer['after']): void
  onRefuse(): void
}

/** What became dearer since the cart was shown; one tap takes it. */
export function PriceDialog({ dearer, onAccept, onRefuse }: PriceDialogProps) {
  const { t, lang } = useLanguage()
  const nameIn = useNameIn()
  if (!dearer) return null
  const { before, after } = dearer
  const money = (bhd: number) => formatMoney(fromBhd(bhd), lang)
  const old = new Map(before.items.map((item) => [item.productId, item.price]))
  const changed = [
    ...after.items
      .map((item) => ({
        key: item.productId,
        name: nameIn(item),
        was: old.get(item.productId) ?? item.price,
        is: item.price,
      }))
      .filter(({ was, is }) => was !== is),
    { key: 'fee', name: t('cart.deliveryFee'), was: before.deliveryFee, is: after.deliveryFee },
  ].filter(({ was, is }) => was !== is)
  return (
    <Dialog
      open
      title={t('checkout.price.title')}
      safe={{ label: t('checkout.price.refuse'), onChoose: onRefuse }}
      act={{ label: t('checkout.price.accept', { total: money(after.total) }), onChoose: () => onAccept(after) }}
    >
      <dl className="mt-2 grid gap-1.5">
        {changed.map(({ key, name, was, is }) => (
          <Change key={key} name={name} was={was} is={is} />
        ))}
        <Change name={t('cart.total')} was={before.total} is={after.total} isTotal />
      </dl>
    </Dialog>
  )
}

function Change({ name, was, is, isTotal }: { name: string; was: number; is: number; isTotal?: boolean }) {
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
        <del className="font-regular text-ink-3">
          <Money bhd={was} />
        </del>
        <ins className="no-underline">
          <Money bhd={is} />
        </ins>
      </dd>
    </div>
  )
}
