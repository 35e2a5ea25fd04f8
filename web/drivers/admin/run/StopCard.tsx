import type { RunStop } from '@qatra/contract/drivers'
import { formatMoney, fromBhd } from '@qatra/contract/lib/money'
import type { RefundChoice } from '@qatra/contract/orders/bottles'
import { useState } from 'react'
import { useLanguage } from '../../../lib/language/i18n.tsx'
import { useDelivery } from '../../../orders/DeliveredItems.tsx'
import { Money } from '../../../ui/Bidi.tsx'
import { Button } from '../../../ui/Button.tsx'
import { CheckIcon } from '../../../ui/icons.tsx'
// Imported statically: offline no chunk can be loaded.
import { AmountSheet } from './AmountSheet.tsx'
import { AttemptSheet } from './AttemptSheet.tsx'
import { Empties, RefundPicker } from './Empties.tsx'
import { MeansPicker, useMeans } from './MeansPicker.tsx'
import { PartSheet } from './PartSheet.tsx'
import type { Taken } from './run-actions.ts'
import type { CountedDelivery } from './run-van.ts'
import { SplitSheet } from './SplitSheet.tsx'
import { goOn, Items, Receiver, StopHead } from './StopFacts.tsx'
import { Change } from './StopRow.tsx'
import type { RunState } from './use-run.ts'

/** The current stop, readable in sunlight. */
type StopState = Pick<RunState, 'run' | 'deliver' | 'attempt'>

export function StopCard({ stop, state }: { stop: RunStop; state: StopState }) {
  const { t, lang } = useLanguage()
  const [open, setOpen] = useState<'amount' | 'split' | 'part' | 'attempt' | null>(null)
  const close = () => setOpen(null)
  const products = state.run?.products ?? []
  const [chosen, setChosen] = useState<RefundChoice>('now')
  const refundLimit = state.run?.refundLimit ?? null
  const door = {
    difference: state.run?.bottleDifference ?? 'owed',
    van: state.run?.van ?? [],
    refund: state.run?.refundChoice ? chosen : undefined,
    refundLimit,
  }
  const delivery = useDelivery(stop, products, door)
  const refund = delivery.refundChoice
  const back = refund === 'now' ? delivery.refund : 0
  const hasBottles = stop.bottles.length > 0
  const due = hasBottles ? delivery.due : stop.cashToCollect
  const isCash = due > 0
  const pay = useMeans(state.run?.means ?? ['cash'])
  const bottles = hasBottles
    ? {
        ...delivery.report,
        due,
        ...(delivery.gained > 0 && (back > 0 || refund === 'credit') && { refund, paidBack: back }),
      }
    : undefined
  const deliverWith = (taken: Taken[] | null, counted: CountedDelivery | undefined = bottles) => {
    const paidBack = counted?.refund === 'now' ? (counted.paidBack ?? back) : 0
    const parts = paidBack === 0 ? taken : [...(taken ?? []), { means: 'cash' as const, amount: -paidBack }]
    state.deliver(stop, parts, counted)
    goOn()
  }
  const deliver = (amount: number | null, counted?: CountedDelivery) =>
    deliverWith(amount === null ? null : pay.takenOf(amount), counted)
  const sendAttempt = (about: Parameters<RunState['attempt']>[1]) => {
    state.attempt(stop, about)
    goOn()
  }
  return (
    <section aria-labelledby="next-stop" className="px-4 pt-4.5 pb-4">
      <StopHead stop={stop} />
      <Receiver stop={stop} />
      <Items stop={stop} leftFor={delivery.leftFor} />
      <Empties stop={stop} delivery={delivery} refund={refund} />
      {refund && (
        <RefundPicker
          amount={delivery.gained}
          chosen={refund}
          beyond={delivery.isBeyondLimit ? refundLimit : null}
          onChoose={setChosen}
        />
      )}
      <div className="flex items-center justify-between border-t border-line py-3">
        <span>
          {isCash ? t(pay.isOnlyCash ? 'run.collect' : 'run.due') : t('run.nothingToCollect')}
          {due !== stop.cashToCollect && (
            <span className="block text-label text-ink-2">
              {t('partly.was', { total: formatMoney(fromBhd(stop.cashToCollect), lang) })}
            </span>
          )}
          {isCash && <PaidBefore stop={stop} />}
          <OwedBack due={hasBottles ? -delivery.owed : stop.due} />
          <Change stop={{ ...stop, cashToCollect: due }} />
          {back > 0 && (
            <span className="block font-strong text-clay">
              {t('run.payBack', { amount: formatMoney(fromBhd(back), lang) })}
            </span>
          )}
        </span>
        {isCash && <Money bhd={due} className="text-title" />}
      </div>
      {isCash && !pay.isOnlyCash && (
        <div className="mb-2">
          <MeansPicker pay={pay} />
        </div>
      )}
      <Button
        tone="aqua"
        size="big"
        icon={CheckIcon}
        className="min-h-15! text-heading!"
        onClick={() => deliver(isCash ? due : null)}
      >
        {!isCash
          ? t('run.deliver')
          : pay.isOnlyCash
            ? t('run.deliverCash')
            : t('run.deliverTaken', { means: pay.chosen, amount: formatMoney(fromBhd(due), lang) })}
      </Button>
      <div className="mt-2 grid grid-cols-2 gap-2">
        <Button tone="outline" className="min-h-13" onClick={() => setOpen('part')}>
          {t('partly.open')}
        </Button>
        {isCash && (
          <Button tone="outline" className="min-h-13" onClick={() => setOpen('amount')}>
            {t('run.otherAmount')}
          </Button>
        )}
        {isCash && pay.offered.length > 1 && (
          <Button tone="outline" className="min-h-13" onClick={() => setOpen('split')}>
            {t('run.split')}
          </Button>
        )}
        <Button tone="outline" className="min-h-13 odd:col-span-2" onClick={() => setOpen('attempt')}>
          {t('run.cannot')}
        </Button>
      </div>
      {open === 'part' && (
        <PartSheet
          stop={stop}
          products={products}
          door={door}
          bottles={delivery.handedOver.bottles}
          pay={pay}
          onClose={close}
          onSave={(counted, left) => deliver(isCash || left > 0 ? left : null, counted)}
        />
      )}
      {open === 'amount' && <AmountSheet stop={stop} due={due} pay={pay} onClose={close} onSave={deliver} />}
      {open === 'split' && (
        <SplitSheet due={due} offered={pay.offered} chosen={pay.chosen} onClose={close} onSave={deliverWith} />
      )}
      {open === 'attempt' && <AttemptSheet stop={stop} onClose={close} onSave={sendAttempt} />}
    </section>
  )
}

/** What was paid at an earlier delivery that was taken back. */
function PaidBefore({ stop: { amountPaid, total } }: { stop: RunStop }) {
  const { t, lang } = useLanguage()
  if (amountPaid === 0) return null
  const money = (bhd: number) => formatMoney(fromBhd(bhd), lang)
  return (
    <span className="block text-label text-ink-2">
      {t('run.paidBefore', { paid: money(amountPaid), total: money(total) })}
    </span>
  )
}

function OwedBack({ due }: { due: number }) {
  const { t, lang } = useLanguage()
  if (due >= 0) return null
  return (
    <span className="block font-strong text-clay">
      {t('run.owedBack', { amount: formatMoney(fromBhd(-due), lang) })}
    </span>
  )
}
