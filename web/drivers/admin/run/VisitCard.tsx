import type { RunStop } from '@qatra/contract/drivers'
import { formatMoney, fromBhd } from '@qatra/contract/lib/money'
import type { RefundChoice } from '@qatra/contract/orders/bottles'
import { isBeyondLimit } from '@qatra/contract/orders/payments'
import { useState } from 'react'
import { useLanguage } from '../../../lib/language/i18n.tsx'
import { useDelivery } from '../../../orders/DeliveredItems.tsx'
import { Money } from '../../../ui/Bidi.tsx'
import { Bottle } from '../../../ui/Bottle.tsx'
import { Button } from '../../../ui/Button.tsx'
import { CheckIcon } from '../../../ui/icons.tsx'
import { AttemptSheet } from './AttemptSheet.tsx'
import { BeyondLimit, Empties, RefundPicker } from './Empties.tsx'
import { NoteIcon } from './icons.ts'
import { goOn, StopHead } from './StopFacts.tsx'
import type { RunState } from './use-run.ts'

interface VisitCardProps {
  stop: RunStop
  visit: NonNullable<RunStop['visit']>
  state: Pick<RunState, 'run' | 'deliver' | 'attempt'>
}

/** The current stop, if it has no order: bottles that are collected, and what is paid back for them. */
export function VisitCard({ stop, visit, state: { run, deliver, attempt } }: VisitCardProps) {
  const { t, lang } = useLanguage()
  const { kind, bottles: expected, amount, note } = visit
  const [isFailing, setFailing] = useState(false)
  // As planned: of the type of which the customer has most.
  const [first] = [...stop.bottles].sort((a, b) => b.held - a.held)
  const planned = new Map(first && expected !== null ? [[first.typeId, { returned: expected }]] : [])
  const delivery = useDelivery(stop, [], { bottles: planned })
  const counted = delivery.bottles.map((sum) => ({ ...sum, expected: planned.get(sum.typeId)?.returned ?? 0 }))
  const mayChoose = amount !== null || run?.refundChoice === true || run?.bottleDifference === 'at-once'
  const [chosen, setChosen] = useState<RefundChoice>(amount !== null || !run?.refundChoice ? 'now' : 'credit')
  const most = kind === 'refund' ? (amount ?? 0) : mayChoose ? delivery.refund : 0
  const beyond = run?.refundLimit && isBeyondLimit(fromBhd(most), run.refundLimit) ? run.refundLimit : null
  const choice = beyond ? 'credit' : chosen
  const paid = choice === 'now' ? most : 0
  const send = () => {
    const taken = paid > 0 ? [{ means: 'cash' as const, amount: -paid }] : null
    deliver(stop, taken, { bottles: delivery.report.bottles ?? [] })
    goOn()
  }
  return (
    <section aria-labelledby="next-stop" className="px-4 pt-4.5 pb-4">
      <p className="mb-3 flex items-center gap-3 rounded-l bg-gulf-soft px-4 py-2.5 text-ink">
        <Bottle shape="b-5g" height={36} className="flex-none" />
        <span className="min-w-0 flex-1 text-heading font-strong">{t(`run.visit.${kind}`)}</span>
        {expected !== null && <b className="text-title">{expected}</b>}
        {kind === 'refund' && amount !== null && <Money bhd={amount} className="text-title" />}
      </p>
      <StopHead stop={stop} />
      {note && (
        <p className="mb-3.5 flex gap-2.5 text-body text-ink">
          <NoteIcon size={20} aria-hidden="true" className="mt-1 flex-none text-ink-2" />
          <span dir="auto">{note}</span>
        </p>
      )}
      <Empties stop={stop} delivery={{ ...delivery, bottles: counted }} refund={paid > 0 ? 'now' : 'credit'} />
      {kind === 'refund' ? (
        <BeyondLimit limit={beyond} />
      ) : (
        mayChoose && <RefundPicker amount={delivery.refund} chosen={choice} beyond={beyond} onChoose={setChosen} />
      )}
      {paid > 0 && (
        <div className="flex items-center justify-between border-t border-line py-3" role="status">
          <span>{t('run.payBackNow')}</span>
          <Money bhd={paid} className="text-title" />
        </div>
      )}
      <Button
        tone="aqua"
        size="big"
        icon={CheckIcon}
        className="min-h-15! text-heading!"
        reason={kind === 'refund' && beyond !== null && t('run.refundBeyond')}
        onClick={send}
      >
        {paid > 0 ? t('run.visitDonePaid', { amount: formatMoney(fromBhd(paid), lang) }) : t('run.visitDone')}
      </Button>
      <Button tone="outline" className="mt-2 min-h-13 w-full" onClick={() => setFailing(true)}>
        {t('run.cannotVisit')}
      </Button>
      {isFailing && (
        <AttemptSheet
          stop={stop}
          onClose={() => setFailing(false)}
          onSave={(about) => {
            attempt(stop, about)
            goOn()
          }}
        />
      )}
    </section>
  )
}
