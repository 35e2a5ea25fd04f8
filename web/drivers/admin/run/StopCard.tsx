import type { RunStop } from '@qatra/contract/drivers'
import { formatMoney, fromBhd } from '@qatra/contract/lib/money'
import { isApproximate } from '@qatra/contract/places/pin'
import { useState } from 'react'
import { useInLang } from '../../../app/names.ts'
import { useLanguage, useT } from '../../../lib/language/i18n.tsx'
import { useDelivery } from '../../../orders/DeliveredItems.tsx'
import { Sheet } from '../../../ui/admin/Sheet.tsx'
import { Money, OrderId } from '../../../ui/Bidi.tsx'
import { Button, buttonClass } from '../../../ui/Button.tsx'
import { CheckIcon, PhoneIcon, WhatsAppIcon } from '../../../ui/icons.tsx'
// Imported statically: offline no chunk can be loaded.
import { AmountSheet } from './AmountSheet.tsx'
import { AttemptSheet } from './AttemptSheet.tsx'
import { Empties } from './Empties.tsx'
import { NavigateIcon, NoteIcon } from './icons.ts'
import { MeansPicker, useMeans } from './MeansPicker.tsx'
import { PartSheet } from './PartSheet.tsx'
import type { Taken } from './run-actions.ts'
import { navigationTo, searchFor, telephone, whatsapp } from './run-links.ts'
import type { CountedDelivery } from './run-van.ts'
import { SplitSheet } from './SplitSheet.tsx'
import { Address, Items, Receiver } from './StopFacts.tsx'
import { AttemptNumber, Change, TriedAt } from './StopRow.tsx'
import type { RunState } from './use-run.ts'

/** Moves the focus to the name of the next stop. */
function goOn() {
  requestAnimationFrame(() => {
    scrollTo({ top: 0 })
    document.getElementById('next-stop')?.focus({ preventScroll: true })
  })
}

/** The current stop, readable in sunlight. */
type StopState = Pick<RunState, 'run' | 'deliver' | 'attempt'>

export function StopCard({ stop, state }: { stop: RunStop; state: StopState }) {
  const { t, lang } = useLanguage()
  const inLang = useInLang()
  const [open, setOpen] = useState<'navigate' | 'amount' | 'split' | 'part' | 'attempt' | null>(null)
  const close = () => setOpen(null)
  const products = state.run?.products ?? []
  const door = { difference: state.run?.bottleDifference ?? 'owed', van: state.run?.van ?? [] }
  const delivery = useDelivery(stop, products, door)
  const hasBottles = stop.bottles.length > 0
  const due = hasBottles ? delivery.due : stop.cashToCollect
  const isCash = due > 0
  const pay = useMeans(state.run?.means ?? ['cash'])
  const bottles = hasBottles ? { ...delivery.report, due } : undefined
  const deliverWith = (taken: Taken[] | null, counted: CountedDelivery | undefined = bottles) => {
    state.deliver(stop, taken, counted)
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
      <div className="flex items-center justify-between text-label text-ink-2">
        <span>
          {t('run.next', { number: stop.number })}
          {stop.attempts.length > 0 && ' · '}
          <AttemptNumber stop={stop} />
        </span>
        <OrderId id={stop.id.slice(0, 8)} />
      </div>
      <h2 id="next-stop" tabIndex={-1} className="mt-1 text-display outline-none">
        <bdi>{stop.customerName}</bdi>
      </h2>
      <p className="text-heading font-regular text-ink-2">{inLang(stop.areaName, stop.areaNameAr)}</p>
      <Address stop={stop} />
      {isApproximate(stop.pinSource) && <p className="mb-3 font-strong text-clay">{t('run.approximate')}</p>}
      {stop.instructions && (
        <p className="mb-3.5 flex gap-2.5 text-body text-ink">
          <NoteIcon size={20} aria-hidden="true" className="mt-1 flex-none text-ink-2" />
          <span dir="auto">{stop.instructions}</span>
        </p>
      )}
      {stop.attempts.map((attempt) => (
        <p key={attempt.at} className="mb-2 text-clay">
          <TriedAt attempt={attempt} />
        </p>
      ))}
      <div className="mb-4 grid grid-cols-[1.5fr_1fr_1fr] gap-2">
        <Button tone="gulf" icon={NavigateIcon} className="min-h-13 px-2!" onClick={() => setOpen('navigate')}>
          {t('run.navigate')}
        </Button>
        <a href={telephone(stop.phone)} className={buttonClass('quiet', 'normal', 'min-h-13 px-2!')}>
          <PhoneIcon size={20} aria-hidden="true" />
          {t('run.call')}
        </a>
        <a
          href={whatsapp(stop.phone)}
          target="_blank"
          rel="noreferrer"
          className={buttonClass('quiet', 'normal', 'min-h-13 px-1.5!')}
        >
          <WhatsAppIcon size={20} aria-hidden="true" />
          {t('run.whatsapp')}
        </a>
      </div>
      <Receiver stop={stop} />
      <Items stop={stop} leftFor={delivery.leftFor} />
      <Empties stop={stop} delivery={delivery} />
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
      {open === 'navigate' && <NavigateSheet stop={stop} onClose={close} />}
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

function NavigateSheet({ stop, onClose }: { stop: RunStop; onClose(): void }) {
  const t = useT()
  const { google, waze, other } = navigationTo(stop.mapCoordinates)
  const title = t('run.navigateWith', { name: stop.customerName })
  const link = buttonClass('quiet', 'big', 'justify-start px-5')
  return (
    <Sheet label={title} title={title} onClose={onClose}>
      <div className="grid grid-cols-1 gap-2 p-4">
        {isApproximate(stop.pinSource) && (
          <>
            <p dir="auto" className="text-as-page text-heading">
              {stop.address}
            </p>
            <a href={searchFor(stop.address)} target="_blank" rel="noreferrer" className={link} onClick={onClose}>
              {t('run.searchAddress')}
            </a>
            <p className="pt-2 text-ink-2">{t('run.approximatePin')}</p>
          </>
        )}
        <a href={google} target="_blank" rel="noreferrer" className={link} onClick={onClose}>
          {t('run.google')}
        </a>
        <a href={waze} target="_blank" rel="noreferrer" className={link} onClick={onClose}>
          {t('run.waze')}
        </a>
        <a href={other} className={link} onClick={onClose}>
          {t('run.otherMaps')}
        </a>
      </div>
    </Sheet>
  )
}
