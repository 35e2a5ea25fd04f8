import type { RunStop } from '@qatra/contract/drivers'
import { formatMoney, fromBhd } from '@qatra/contract/lib/money'
import { useLanguage } from '../../../lib/language/i18n.tsx'
import { DeliveredItems, useDelivery } from '../../../orders/DeliveredItems.tsx'
import type { DoorRules, HandedOver, VanProduct } from '../../../orders/delivered-items.ts'
import { Sheet } from '../../../ui/admin/Sheet.tsx'
import { Button } from '../../../ui/Button.tsx'
import { BeyondLimit, Empties } from './Empties.tsx'
import { type Means, MeansPicker } from './MeansPicker.tsx'
import type { CountedDelivery } from './run-van.ts'

interface PartSheetProps {
  stop: RunStop
  products: readonly VanProduct[]
  door: DoorRules
  /** As counted on the card. */
  bottles: HandedOver['bottles']
  pay: Means
  onClose(): void
  /** With the cash that is due in BHD. */
  onSave(counted: CountedDelivery, due: number): void
}

/** What was handed over, more or fewer than ordered, with the cash that is due for it. */
export function PartSheet({ stop, products, door, bottles, pay, onClose, onSave }: PartSheetProps) {
  const { t, lang } = useLanguage()
  const delivery = useDelivery(stop, products, { ...door, bottles })
  const isCash = stop.cashToCollect > 0 || delivery.due > 0
  const bhd = isCash ? delivery.due : delivery.total
  // With nothing to pay back beside the total, «now» is what happens anyway.
  const refund = delivery.refundChoice
  const isChoice = delivery.gained > 0 && (refund === 'credit' || delivery.refund > 0)
  const choice = isChoice && { refund, paidBack: delivery.refund }
  // By the count of the bottles, which the page computes as the server does.
  const dueOf = delivery.report.bottles && { due: delivery.due, ...choice }
  const title = t('partly.title', { name: stop.customerName })
  return (
    <Sheet label={title} title={title} onClose={onClose}>
      <div className="grid gap-4 p-5">
        <DeliveredItems
          order={stop}
          delivery={delivery}
          was={isCash ? stop.cashToCollect : stop.total}
          sum={t(isCash ? (pay.isOnlyCash ? 'run.collect' : 'run.due') : 'partly.total')}
          bhd={bhd}
          className="text-heading [--tap:56px]"
        />
        <Empties stop={stop} delivery={delivery} refund={refund} />
        {door.refund && delivery.isBeyondLimit && <BeyondLimit limit={door.refundLimit ?? null} />}
        {isCash && <MeansPicker pay={pay} />}
        {/* The total stays in sight while products of the van are counted. */}
        <div className="sticky bottom-0 -mx-5 -mb-5 border-t border-line bg-surface px-5 py-3">
          <Button
            tone="aqua"
            size="big"
            className="min-h-15!"
            reason={delivery.reason}
            onClick={() => {
              onSave({ ...delivery.report, ...dueOf, version: stop.version }, delivery.due)
              onClose()
            }}
          >
            {t('partly.save', { total: formatMoney(fromBhd(bhd), lang) })}
          </Button>
        </div>
      </div>
    </Sheet>
  )
}
