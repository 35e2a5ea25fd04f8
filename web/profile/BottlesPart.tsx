import { bahrainDate, formatDay } from '@qatra/contract/calendar/calendar'
import { type DeliverySlot, slotOn } from '@qatra/contract/calendar/slot'
import { cancelCollection, listMyBottles, type MyBottles, requestCollection } from '@qatra/contract/my-bottles'
import { mostReturned } from '@qatra/contract/orders/bottles'
import { listAddresses } from '@qatra/contract/users/addresses'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNameIn } from '../app/names.ts'
import { useVendor } from '../catalogue/api.ts'
import { DayChoice } from '../delivery/DayChoice.tsx'
import { cacheDays, deliveryDaysQuery } from '../delivery/days.ts'
import { call, detailsOf, read } from '../lib/api-client.ts'
import { useLanguage, useT } from '../lib/language/i18n.tsx'
import { refusalText } from '../lib/refusal.ts'
import { useAction } from '../lib/use-action.ts'
import { Count, myBottlesQuery } from '../orders/MyBottles.tsx'
import { Money } from '../ui/Bidi.tsx'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { TruckIcon } from '../ui/icons.tsx'
import { Stepper } from '../ui/Stepper.tsx'
import { toast } from '../ui/Toast.tsx'

/** The customer's bottles of each vendor, their latest movements, and the collection of empty ones; nothing without any. */
export function BottlesPart() {
  const { data = [] } = useQuery(myBottlesQuery())
  return [...new Set(data.map(({ vendorId }) => vendorId))].map((vendorId) => {
    const rows = data.filter((row) => row.vendorId === vendorId)
    return (
      <div key={vendorId} className="mt-10 border-t border-line pt-6">
        {rows.map((row) => (
          <TypeBottles key={row.typeId} row={row} />
        ))}
        <Collection vendorId={vendorId} rows={rows} />
      </div>
    )
  })
}

function TypeBottles({ row }: { row: MyBottles }) {
  const { t, lang } = useLanguage()
  const nameIn = useNameIn()
  const vendor = useVendor(row.vendorId)
  return (
    <section className="not-first:mt-6">
      <Count
        title={t('bottles.yours', { vendor: vendor ? nameIn(vendor) : '' })}
        note={nameIn(row)}
        count={row.count}
      />
      {row.depositHeld !== 0 && (
        <p className="mt-2 flex justify-between gap-3">
          <span className="text-ink-2">{t('bottles.paid')}</span>
          <Money bhd={row.depositHeld} />
        </p>
      )}
      {row.moves.length > 0 && (
        <details className="mt-1">
          <summary className="min-h-tap content-center font-strong text-aqua-ink">{t('bottles.history')}</summary>
          <ul>
            {row.moves.map((move) => (
              <li key={move.id} className="flex justify-between gap-3 border-t border-line py-2">
                <span>
                  {t(`bottles.move.${move.kind}`)}
                  <span className="block text-label text-ink-3">
                    {formatDay(bahrainDate(new Date(move.at)), lang, 'long')}
                  </span>
                </span>
                <bdi dir="ltr">{move.count > 0 ? `+${move.count}` : move.count}</bdi>
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  )
}

/** Asks the vendor to collect empties, or shows the open request. */
function Collection({ vendorId, rows }: { vendorId: number; rows: readonly MyBottles[] }) {
  const t = useT()
  const [isAsking, setAsking] = useState(false)
  const visit = rows.find((row) => row.visit !== null)?.visit
  const held = rows.reduce((sum, { count }) => sum + Math.max(0, count), 0)
  if (visit) return <OpenCollection visit={visit} />
  if (held === 0) return null
  return (
    <>
      <Button icon={TruckIcon} className="mt-3" onClick={() => setAsking(true)}>
        {t('profile.collect.ask')}
      </Button>
      {isAsking && <AskDialog vendorId={vendorId} held={held} onClose={() => setAsking(false)} />}
    </>
  )
}

/** Changes the collection and reads it again, also after a refusal: the page is older than what happened. */
function useCollectionAction(onRefused?: (code: string, days: readonly string[] | undefined) => void) {
  const t = useT()
  const queries = useQueryClient()
  const again = () => queries.invalidateQueries({ queryKey: [listMyBottles.path] })
  const action = useAction((error) => {
    onRefused?.(error.code, detailsOf(error, 'DATE_NOT_AVAILABLE').days)
    void again()
    return refusalText(t, error, 'profile.collect')
  })
  return { ...action, again }
}

function OpenCollection({ visit }: { visit: NonNullable<MyBottles['visit']> }) {
  const { t, lang } = useLanguage()
  const [isAsked, setAsked] = useState(false)
  const { busy, problem, run, again } = useCollectionAction(() => setAsked(false))
  const cancel = () =>
    run(async () => {
      await call(cancelCollection, { params: { id: String(visit.id) } })
      setAsked(false)
      toast({ title: t('profile.collect.cancelled') })
      await again()
    })
  return (
    <div className="mt-3 grid gap-1 rounded-m bg-gulf-soft px-3.5 py-3">
      <p className="flex gap-2.5">
        <TruckIcon size={20} aria-hidden="true" className="mt-0.75 flex-none text-gulf" />
        <span className="min-w-0">
          <b className="block leading-normal">
            {t('profile.collect.open', { day: formatDay(visit.date, lang, 'long') })}
          </b>
          {visit.bottles !== null && (
            <span className="block">{t('profile.collect.bottles', { count: visit.bottles })}</span>
          )}
          <span dir="auto" className="block text-label break-words text-ink-2">
            {visit.address}
          </span>
        </span>
      </p>
      {visit.canCancel ? (
        <Button tone="link" className="justify-self-start" onClick={() => setAsked(true)}>
          {t('profile.collect.cancel')}
        </Button>
      ) : (
        <p className="text-label text-ink-2">{t('profile.collect.onWay')}</p>
      )}
      {problem && (
        <p role="alert" className="text-label text-clay">
          {problem}
        </p>
      )}
      <Dialog
        open={isAsked}
        title={t('profile.collect.cancelTitle')}
        safe={{ label: t('profile.collect.cancelKeep'), onChoose: () => setAsked(false) }}
        action={{ label: t('profile.collect.cancel'), tone: 'danger', busy, onChoose: () => void cancel() }}
      />
    </div>
  )
}

/** How many empties, from which saved address, and on which day of delivery. */
function AskDialog({ vendorId, held, onClose }: { vendorId: number; held: number; onClose(): void }) {
  const { t, lang } = useLanguage()
  const nameIn = useNameIn()
  const queries = useQueryClient()
  const vendor = useVendor(vendorId)
  const book = (useQuery(read(listAddresses)).data ?? []).filter(
    ({ address, mapCoordinates }) => address && mapCoordinates,
  )
  const days = { ...deliveryDaysQuery(vendorId), refetchOnMount: 'always' as const }
  const { data: open } = useQuery(days)
  const [count, setCount] = useState(held)
  const [place, setPlace] = useState<number | null>(null)
  const [slot, setSlot] = useState<DeliverySlot | null>(null)
  const first = open?.[0]
  const chosen = slot ?? (first ? slotOn(first.date) : null)
  const addressId = place ?? (book.find(({ isDefault }) => isDefault) ?? book[0])?.id ?? null
  const { busy, problem, run, again } = useCollectionAction((code, left) => {
    if (code !== 'DATE_NOT_AVAILABLE') return
    setSlot(null)
    cacheDays(queries, days, left)
  })
  const send = () =>
    run(async () => {
      const day = chosen && { date: chosen.date }
      const { date } = await call(requestCollection, { body: { vendorId, addressId, bottles: count, ...day } })
      toast({ title: t('profile.collect.sent', { day: formatDay(date, lang, 'long') }) })
      onClose()
      await again()
    })
  return (
    <Dialog
      open
      className="max-w-120"
      title={t('profile.collect.title', { vendor: vendor ? nameIn(vendor) : '' })}
      safe={{ label: t('profile.collect.back'), onChoose: onClose }}
      action={{
        label: t('profile.collect.send'),
        busy,
        reason: count === 0 ? t('profile.collect.choose') : null,
        onChoose: () => void send(),
      }}
    >
      <div className="mt-3 flex items-center justify-between gap-3 text-ink">
        <span>{t('profile.collect.count')}</span>
        <Stepper
          name={t('profile.collect.count')}
          quantity={count}
          max={mostReturned}
          onChange={setCount}
          hasBin={false}
          isCount
          className="w-38"
        />
      </div>
      {book.length > 0 && (
        <fieldset className="mt-4 text-ink">
          <legend className="mb-1 text-label font-strong">{t('profile.collect.where')}</legend>
          {book.map(({ id, label, address }) => (
            <label key={id} className="flex min-h-tap cursor-pointer items-center gap-2.5 py-1">
              <input
                type="radio"
                name="collection-address"
                checked={id === addressId}
                onChange={() => setPlace(id)}
                className="tick flex-none"
              />
              <span dir="auto" className="text-as-page min-w-0 break-words">
                {label ? `${label} · ${address}` : address}
              </span>
            </label>
          ))}
        </fieldset>
      )}
      <p className="mt-4 text-label font-strong text-ink">{t('profile.collect.day')}</p>
      <div className="-mx-5.5">
        <DayChoice query={days} chosen={chosen} onChoose={setSlot} className="px-5.5" />
      </div>
      <p role="alert" className={problem ? 'mt-2 text-label text-clay' : 'hidden'}>
        {problem}
      </p>
    </Dialog>
  )
}
