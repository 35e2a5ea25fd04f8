import type { RunStop } from '@qatra/contract/drivers'
import { formatMoney, fromBhd } from '@qatra/contract/lib/money'
import type { DeliveredItem } from '@qatra/contract/orders/cash'
import { useLanguage } from '../../../lib/language/i18n.tsx'
import { DeliveredItems, usePartialDelivery } from '../../../orders/DeliveredItems.tsx'
import { Sheet } from '../../../ui/admin/Sheet.tsx'
import { Button } from '../../../ui/Button.tsx'
import { type Means, MeansPicker } from './MeansPicker.tsx'

interface PartSheetProps {
  stop: RunStop
  pay: Means
  onClose(): void
  /** With the cash that is due in BHD. */
  onSave(delivered: DeliveredItem[], due: number): void
}

/** Quantities of a partial delivery, with the cash that is due for them. */
export function PartSheet({ stop, pay, onClose, onSave }: PartSheetProps) {
  const { t, lang } = useLanguage()
  const part = usePartialDelivery(stop)
  const isCash = stop.cashToCollect > 0
  const bhd = isCash ? part.due : part.total
  const title = t('partly.title', { name: stop.customerName })
  return (
    <Sheet label={title} title={title} onClose={onClose}>
      <div className="grid gap-4 p-5">
        <DeliveredItems
          order={stop}
          part={part}
          sum={t(isCash ? 'run.collect' : 'partly.total')}
          bhd={bhd}
          className="text-heading [--tap:56px]"
        />
        {isCash && <MeansPicker pay={pay} />}
        <Button
          tone="aqua"
          size="big"
          className="min-h-15!"
          reason={part.reason}
          onClick={() => {
            onSave(part.delivered, part.due)
            onClose()
          }}
        >
          {t('partly.save', { total: formatMoney(fromBhd(bhd), lang) })}
        </Button>
      </div>
    </Sheet>
  )
}
