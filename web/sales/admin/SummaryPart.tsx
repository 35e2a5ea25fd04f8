import { type DeliverySlot, slotWords } from '@qatra/contract/calendar/slot'
import { formatMoney, toBhd } from '@qatra/contract/lib/money'
import { sumsOf } from '@qatra/contract/orders/totals'
import type { Vendor } from '@qatra/contract/vendors/vendors'
import { ChangeChoice, CompanyFields } from '../../checkout/BuyerFields.tsx'
import { DayChoice } from '../../delivery/DayChoice.tsx'
import { deliveryDaysQuery } from '../../delivery/days.ts'
import { useLanguage } from '../../lib/language/i18n.tsx'
import { MoneyField } from '../../ui/admin/form/fields.tsx'
import { Button } from '../../ui/Button.tsx'
import { TruckIcon, WarningIcon } from '../../ui/icons.tsx'
import { feeOf, type Sums } from './draft.ts'
import { fieldId } from './focus.ts'
import type { Sale } from './use-sale.ts'

interface SummaryPartProps {
  sale: Sale
  sums: Sums
  vendor: Vendor | null
  /** Null if unknown. */
  slot: DeliverySlot | null
}

/** Totals, delivery day and the submit button. */
export function SummaryPart({ sale, sums, vendor, slot }: SummaryPartProps) {
  const { t, lang } = useLanguage()
  const money = (sum: Sums['total']) => formatMoney(sum, lang)
  return (
    <div className="grid gap-4">
      <div id={fieldId('deliveryFee')}>
        <MoneyField
          label={t('totals.deliveryFee')}
          value={feeOf(sale.draft, vendor)}
          error={sale.problems['deliveryFee']}
          onChange={(fee) => sale.change({ fee }, 'deliveryFee')}
        />
      </div>
      <div>
        <h2 className="sr-only">{t('sale.summary')}</h2>
        <dl className="grid gap-1.5">
          {sumsOf(sums).map(({ kind, amount }) => (
            <div key={kind} className="flex justify-between gap-3 text-ink-2">
              <dt>{t(`totals.${kind}`)}</dt>
              <dd>
                <bdi>{money(amount)}</bdi>
              </dd>
            </div>
          ))}
          <div className="mt-1.5 flex items-baseline justify-between gap-3 border-t border-line pt-3">
            <dt className="text-heading">{t('totals.total')}</dt>
            <dd className="text-title text-gulf" aria-live="polite">
              <bdi>{money(sums.total)}</bdi>
            </dd>
          </div>
        </dl>
      </div>
      {vendor && slot && (
        <div id={fieldId('deliveryDate')} tabIndex={-1} className="grid min-w-0 gap-2">
          <p className="flex items-center gap-2 text-ink-2">
            <TruckIcon size={20} aria-hidden="true" className="flex-none text-gulf" />
            {t('sale.arrives', { day: slotWords(slot, lang, 'long') })}
          </p>
          <DayChoice
            query={deliveryDaysQuery(vendor.id)}
            chosen={slot}
            onChoose={({ date }) => sale.change({ day: date }, 'deliveryDate')}
          />
          <p role="alert" className="text-label text-clay empty:hidden">
            {sale.problems['deliveryDate']}
          </p>
        </div>
      )}
      <div>
        <ChangeChoice form={sale.draft} change={sale.change} total={toBhd(sums.total)} />
        <CompanyFields form={sale.draft} problems={sale.problems} change={sale.change} idOf={fieldId} />
      </div>
      <div role="status" className="empty:hidden">
        {sums.missing > 0 && (
          <p className="appear rounded-m bg-well px-3.5 py-2.5 text-label text-ink-2">
            {t('sale.minimum', { amount: money(sums.missing) })}
          </p>
        )}
      </div>
      <div role="alert" className="empty:hidden">
        {sale.failure && (
          <p className="appear flex gap-2 rounded-m bg-clay-soft px-3.5 py-2.5">
            <WarningIcon size={20} aria-hidden="true" className="mt-0.75 flex-none text-clay" />
            <span>
              <b className="block font-strong">{t('sale.error.title')}</b>
              {sale.failure}
            </span>
          </p>
        )}
      </div>
    </div>
  )
}

/** Sticky at the bottom of a phone's screen. */
export function PlaceAction({ sale, total }: { sale: Sale; total: Sums['total'] }) {
  const { t, lang } = useLanguage()
  return (
    <div className="flex flex-col gap-2">
      <Button type="submit" tone="aqua" size="big" busy={sale.busy} aria-keyshortcuts="Control+Enter">
        {t('sale.do')}
        <bdi className="desk:hidden">{formatMoney(total, lang)}</bdi>
      </Button>
      <p className="flex justify-between gap-3 text-label text-ink-3 max-desk:hidden">
        <kbd dir="ltr" className="font-[inherit]">
          {t('sale.doKeys')}
        </kbd>
        <span>{t('sale.draftKept')}</span>
      </p>
    </div>
  )
}
