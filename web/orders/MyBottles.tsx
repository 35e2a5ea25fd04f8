import { keptBottles } from '@qatra/contract/bottles'
import { formatDateTime } from '@qatra/contract/calendar/calendar'
import { formatMoney, fromBhd } from '@qatra/contract/lib/money'
import { type DoorCount, getOrderBottles, isCountedOtherwise, listMyBottles } from '@qatra/contract/my-bottles'
import { isClosed } from '@qatra/contract/orders/order-status'
import type { Order } from '@qatra/contract/orders/orders'
import { useQuery } from '@tanstack/react-query'
import { useInLang, useNameIn } from '../app/names.ts'
import { read } from '../lib/api-client.ts'
import { useLanguage, useT } from '../lib/language/i18n.tsx'
import { Bottle } from '../ui/Bottle.tsx'

/** What was counted at the door of an order. */
export const orderBottlesQuery = (id: string) => read(getOrderBottles, { params: { id } })

export const myBottlesQuery = () => ({ ...read(listMyBottles), refetchOnMount: 'always' as const })

export const hasBottles = ({ items }: Pick<Order, 'items'>) => items.some(({ empties }) => empties !== null)

/** A number of bottles beside its picture. */
export function Count({ title, note, count }: { title: string; note?: string | undefined; count: number }) {
  return (
    <div className="flex items-center gap-3">
      <span className="grid size-14 flex-none place-items-center rounded-m bg-well">
        <Bottle shape="b-5g" height={40} />
      </span>
      <p className="min-w-0 flex-1 leading-normal font-strong">
        {title}
        {note && <span className="block text-label font-regular text-ink-3">{note}</span>}
      </p>
      <b className="text-title">{count}</b>
    </div>
  )
}

/** How many bottles in which an order is sold the customer has, and will have after it. */
export function OrderBottles({ order, className }: { order: Order; className: string }) {
  const t = useT()
  const vendor = useInLang()(order.vendorName, order.vendorNameAr)
  const { data = [] } = useQuery({ ...myBottlesQuery(), enabled: hasBottles(order) })
  if (!hasBottles(order) || order.status === 'cancelled') return null
  const types = new Set(order.items.map(({ bottleTypeId }) => bottleTypeId))
  const count = data.filter(({ typeId }) => types.has(typeId)).reduce((sum, row) => sum + row.count, 0)
  const { kept } = keptBottles(order.items)
  return (
    <section className={className}>
      <Count
        title={t('bottles.yours', { vendor })}
        note={isClosed(order.status) ? undefined : t('bottles.after', { count: count + kept })}
        count={count}
      />
      {order.status === 'delivered' && <CountedOtherwise order={order} />}
    </section>
  )
}

/** Empties that were counted otherwise than expected: how many, by whom and when, and what followed for the deposit. */
function CountedOtherwise({ order: { id } }: { order: Order }) {
  const nameIn = useNameIn()
  const { data = [] } = useQuery(orderBottlesQuery(id))
  const changed = data.filter(isCountedOtherwise)
  if (changed.length === 0) return null
  return (
    <ul className="mt-3 grid gap-3 border-t border-line pt-3">
      {changed.map((count) => (
        <li key={count.typeId}>
          {data.length > 1 && <bdi className="block text-label text-ink-3">{nameIn(count)}</bdi>}
          <Counted of={count} />
        </li>
      ))}
    </ul>
  )
}

function Counted({ of: { expected, returned, broken, foreign, charged, credit, by, at } }: { of: DoorCount }) {
  const { t, lang } = useLanguage()
  const money = (bhd: number) => ({ amount: formatMoney(fromBhd(Math.abs(bhd)), lang) })
  const when = at === null ? '' : formatDateTime(new Date(at), lang)
  const lines = [
    broken > 0 && t('bottles.broken', { count: broken }),
    foreign > 0 && t('bottles.foreign', { count: foreign }),
    charged !== 0 && t(charged > 0 ? 'bottles.charged.more' : 'bottles.charged.less', money(charged)),
    credit !== 0 && t(credit > 0 ? 'bottles.credit' : 'bottles.owed', money(credit)),
  ].filter((line) => line !== false)
  return (
    <>
      <b className="block leading-normal">{t('bottles.counted', { returned: returned ?? 0, expected })}</b>
      {lines.map((line) => (
        <span key={line} className="block leading-normal">
          {line}
        </span>
      ))}
      {by && (
        <span className="block text-label text-ink-3">
          {by.isDriver
            ? t('bottles.countedBy.driver', { name: by.firstName ?? '', when })
            : t('bottles.countedBy.office', { when })}
        </span>
      )}
    </>
  )
}
