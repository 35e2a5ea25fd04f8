import { formatDateTime, formatDay } from '@qatra/contract/calendar/calendar'
import type { Run, RunStop } from '@qatra/contract/drivers'
import { addFils, fromBhd, plainAmount, toBhd } from '@qatra/contract/lib/money'
import { changeFrom } from '@qatra/contract/orders/buyer'
import { shortId } from '@qatra/contract/orders/order-id'
import { depositOfLine } from '@qatra/contract/orders/totals'
import { isApproximate } from '@qatra/contract/places/pin'
import { silhouetteOf } from '@qatra/contract/products/sizes'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useInLang, useNameIn } from '../../../app/names.ts'
import { useLanguage, useT } from '../../../lib/language/i18n.tsx'
import { PrintedItems } from '../../../orders/PrintedItems.tsx'
import { PrintHeader } from '../../../ui/admin/PrintLayout.tsx'
import { Money, Phone, Size } from '../../../ui/Bidi.tsx'
import { Bottle } from '../../../ui/Bottle.tsx'
import { classes } from '../../../ui/class-names.ts'
import { Units } from '../../../ui/Units.tsx'
import { AttemptNumber, TriedAt } from './StopRow.tsx'

const emptiesOf = ({ items, visit }: RunStop) =>
  items.reduce((sum, { empties }) => sum + (empties ?? 0), visit?.bottles ?? 0)
/** BHD for the bottles without an empty one, which the cash has in it. */
const depositOf = ({ items }: RunStop) =>
  toBhd(
    addFils(
      ...items.map((item) =>
        depositOfLine({ ...item, bottleDeposit: item.bottleDeposit === null ? null : fromBhd(item.bottleDeposit) }),
      ),
    ),
  )
const isOpen = ({ status }: RunStop) => status !== 'delivered' && status !== 'cancelled'

/** A driver's printed run: the load, the stops, then the totals once. */
export function RunSheet({ run }: { run: Run }) {
  const { t, lang } = useLanguage()
  const [now] = useState(() => new Date())
  const name = run.driver.name ?? run.driver.phone
  const km = (run.metresLeft / 1000).toFixed(0)
  return (
    <section className="mx-auto w-full max-w-200 overflow-x-auto px-4 pb-8 md:px-6 not-first:break-before-page print:max-w-none print:overflow-visible print:p-0">
      <PrintHeader
        title={<bdi>{t('drivers.sheetTitle', { name })}</bdi>}
        text={formatDay(run.date, lang, 'long')}
        sum={
          <>
            {t('drivers.stopCount', { count: run.stops.length })} · {t('drivers.km', { km })}
          </>
        }
        printed={t('drivers.printedAt', { when: formatDateTime(now, lang) })}
      />
      <LoadOf run={run} />
      <table className="paper-table w-full table-fixed border-collapse">
        <colgroup>
          {['w-8', 'w-36', undefined, 'w-46', 'w-18', 'w-16'].map((width, at) => (
            <col key={at} className={width} />
          ))}
        </colgroup>
        <thead>
          <tr>
            <th scope="col">#</th>
            <th scope="col">{t('drivers.customerPhone')}</th>
            <th scope="col" aria-label={t('drivers.address')}>
              <span className={places}>
                <span>{t('drivers.area')}</span>
                <span>{t('run.block')}</span>
                <span>{t('run.road')}</span>
                <span>{t('drivers.house')}</span>
              </span>
            </th>
            <th scope="col">{t('drivers.items')}</th>
            <th scope="col">{t('drivers.cash')}</th>
            <th scope="col">{t('drivers.signature')}</th>
          </tr>
        </thead>
        <tbody>
          {run.stops.map((stop) => (
            <SheetRow key={stop.id} stop={stop} date={run.date} />
          ))}
        </tbody>
      </table>
      <Totals run={run} />
    </section>
  )
}

/** The load for the open stops. */
function LoadOf({ run }: { run: Run }) {
  const t = useT()
  const nameIn = useNameIn()
  const load = new Map<string, RunStop['items'][number] & { tint: string | null }>()
  for (const { items, vendorTint } of run.stops.filter(isOpen)) {
    for (const item of items) {
      const key = [item.name, item.size, item.inventoryUnit, item.unitsPerInventoryUnit].join(' ')
      const before = load.get(key)
      load.set(key, { ...item, tint: vendorTint, quantity: item.quantity + (before?.quantity ?? 0) })
    }
  }
  const lines = [...load].sort(([, a], [, b]) => b.quantity - a.quantity)
  if (lines.length === 0) return null
  const count = lines.reduce((sum, [, { quantity }]) => sum + quantity, 0)
  const empties = run.stops.filter(isOpen).reduce((sum, stop) => sum + emptiesOf(stop), 0)
  return (
    <ul className="mt-3 mb-2 flex flex-wrap overflow-hidden rounded-s border border-ink">
      <li className="flex-1 bg-well px-2.5 py-1 print:bg-well-2">
        <span className="block text-[0.75rem] whitespace-nowrap text-ink-3">{t('drivers.load')}</span>
        <b className="text-heading">{t('drivers.units', { count })}</b>
      </li>
      {lines.map(([key, item]) => (
        <li key={key} className="flex flex-1 items-center gap-2 border-s border-line px-2.5 py-1">
          <Bottle shape={silhouetteOf(item.size)} tint={item.tint} height={32} />
          <span>
            <b className="block text-heading leading-tight">
              <Units of={item} count={item.quantity} />
            </b>
            <span className="block text-[0.75rem] leading-snug text-ink-3">
              <bdi>{nameIn(item)}</bdi> <Size size={item.size} />
            </span>
          </span>
        </li>
      ))}
      {empties > 0 && (
        <li className="flex-1 border-s border-line px-2.5 py-1">
          <span className="block text-[0.75rem] whitespace-nowrap text-ink-3">{t('run.loadEmpties')}</span>
          <b className="text-heading">{empties}</b>
        </li>
      )}
    </ul>
  )
}

const places = 'grid grid-cols-[minmax(0,1fr)_2.25rem_2.5rem_2.5rem] items-baseline gap-x-1.5'

interface RowProps {
  stop: RunStop
  /** The day of the run. */
  date: string
}

function SheetRow({ stop, date }: RowProps) {
  const { t } = useLanguage()
  return (
    <tr className={classes('break-inside-avoid', !isOpen(stop) && 'text-ink-2')}>
      <td className="text-heading font-strong">{stop.number}</td>
      <td>
        <bdi className="block leading-snug font-strong whitespace-normal">{stop.customerName}</bdi>
        <Phone phone={stop.phone} />{' '}
        {!stop.visit && (
          <Link to="/admin/orders/$id" params={{ id: stop.id }} className="text-[0.75rem] text-ink-3 hover:underline">
            <bdi dir="ltr">{shortId(stop.id)}</bdi>
          </Link>
        )}
        {(stop.receiverName || stop.receiverPhone) && (
          <span className="block leading-snug">
            {t('run.receiver')}: <bdi>{stop.receiverName}</bdi>{' '}
            {stop.receiverPhone && <Phone phone={stop.receiverPhone} />}
          </span>
        )}
      </td>
      <td>
        <Place stop={stop} date={date} />
      </td>
      <td>
        {stop.visit && <b className="block">{t(`run.visit.${stop.visit.kind}`)}</b>}
        <PrintedItems items={stop.items} />
        {stop.visit?.note && (
          <span dir="auto" className="text-as-page block text-[0.75rem] leading-snug">
            {stop.visit.note}
          </span>
        )}
        {emptiesOf(stop) > 0 && (
          <span className="block text-[0.75rem] leading-snug font-strong">
            {t('run.paperEmpties', { count: emptiesOf(stop) })}
          </span>
        )}
        {depositOf(stop) > 0 && (
          <span className="block text-[0.75rem] leading-snug">
            {t('run.paperDeposit', { amount: plainAmount(depositOf(stop)) })}
          </span>
        )}
      </td>
      <td>
        {stop.visit ? (
          <VisitAmount visit={stop.visit} isDone={!isOpen(stop)} />
        ) : isOpen(stop) ? (
          stop.cashToCollect > 0 ? (
            <b className="text-body">
              <bdi>{plainAmount(stop.cashToCollect)}</bdi>
              {changeFrom(stop.payingWith, stop.cashToCollect) > 0 && (
                <span className="block text-[0.75rem] leading-snug font-regular">
                  {t('drivers.change', { amount: plainAmount(changeFrom(stop.payingWith, stop.cashToCollect)) })}
                </span>
              )}
            </b>
          ) : (
            t(`admin.payment.${stop.paymentStatus}`)
          )
        ) : (
          t(`admin.status.${stop.status}`)
        )}
      </td>
      <td className="border-s border-line">&nbsp;</td>
    </tr>
  )
}

/** What is to be paid back, or was. */
function VisitAmount({ visit: { amount, paid }, isDone }: { visit: NonNullable<RunStop['visit']>; isDone: boolean }) {
  const t = useT()
  const back = isDone ? paid : (amount ?? 0)
  return (
    <>
      {isDone && <span className="block">{t('run.visitDoneShort')}</span>}
      {back > 0 && (
        <b>
          <bdi>−{plainAmount(back)}</bdi>
        </b>
      )}
    </>
  )
}

/** Columns for area, block, road and building; directions in a line below. */
function Place({ stop, date }: RowProps) {
  const t = useT()
  const inLang = useInLang()
  const { block, road, building, flat } = stop.addressParts ?? {}
  const attempt = stop.attempts.at(-1)
  const more = [flat && `${t('run.flat')} ${flat}`, stop.instructions].filter(Boolean).join(' · ')
  return (
    <>
      <span className={places}>
        <b className="leading-snug">{inLang(stop.areaName, stop.areaNameAr) || '—'}</b>
        <b>{block && <bdi>{block}</bdi>}</b>
        <b>{road && <bdi>{road}</bdi>}</b>
        <b>{building && <bdi>{building}</bdi>}</b>
      </span>
      {!(block || road || building) && (
        <span dir="auto" className="text-as-page block">
          {stop.address}
        </span>
      )}
      {more && (
        <span dir="auto" className="text-as-page block text-[0.75rem] leading-snug wrap-anywhere text-ink-2">
          {more}
        </span>
      )}
      {isApproximate(stop.pinSource) && (
        <span className="block text-[0.75rem] leading-relaxed">{t('run.approximate')}</span>
      )}
      {attempt && (
        <span className="block text-[0.75rem] leading-snug text-clay">
          <AttemptNumber stop={stop} /> <TriedAt attempt={attempt} paperOf={date} />
        </span>
      )}
    </>
  )
}

function Totals({ run }: { run: Run }) {
  const t = useT()
  const due = run.stops.filter(({ cashToCollect }) => cashToCollect > 0)
  const cell = 'border-s border-line px-3 py-1.5 first:border-s-0'
  const dots = <span aria-hidden="true">………………</span>
  return (
    <dl className="mt-3 grid grid-cols-3 break-inside-avoid rounded-s border-2 border-ink">
      <div className={cell}>
        <dt className="text-[0.75rem] text-ink-3">{t('drivers.toCollect', { count: due.length })}</dt>
        <dd className="text-heading">
          <Money bhd={toBhd(addFils(...due.map(({ cashToCollect }) => fromBhd(cashToCollect))))} />
        </dd>
      </div>
      <div className={cell}>
        <dt className="text-[0.75rem] text-ink-3">{t('drivers.toAdmin')}</dt>
        <dd className="text-heading">{dots}</dd>
      </div>
      <div className={cell}>
        <dt className="text-[0.75rem] text-ink-3">{t('drivers.driverSignature')}</dt>
        <dd className="text-heading">{dots}</dd>
      </div>
    </dl>
  )
}
