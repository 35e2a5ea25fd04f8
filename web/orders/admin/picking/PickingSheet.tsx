import { formatDay } from '@qatra/contract/calendar/calendar'
import { givenName } from '@qatra/contract/lib/given-name'
import { shortId } from '@qatra/contract/orders/order-id'
import { silhouetteOf } from '@qatra/contract/products/sizes'
import { useInLang, useNameIn } from '../../../app/names.ts'
import { useLanguage, useT } from '../../../lib/language/i18n.tsx'
import { nowInWords } from '../../../ui/admin/day-words.ts'
import { DriverMark, PrintCheckbox, PrintHeader } from '../../../ui/admin/PrintLayout.tsx'
import { UnitOf } from '../../../ui/Bidi.tsx'
import { Bottle } from '../../../ui/Bottle.tsx'
import { classes } from '../../../ui/class-names.ts'
import { PrintedItems } from '../../PrintedItems.tsx'
import { AreaName } from '../OrderParts.tsx'
import type { Load, LoadDriver, LoadOrder } from './picking.ts'

/** With more drivers the columns are narrow and show their marks alone, and with still more there are only totals. */
const MOST_NAMED = 6
const MOST_DRIVERS = 11

/** One vendor's load of one day: products for each driver, then orders in loading order. */
export function PickingSheet({ load }: { load: Load }) {
  const { t, lang } = useLanguage()
  const inLang = useInLang()
  const carrying = load.drivers.filter(({ id }) => id !== 0).length
  return (
    <section className="mx-auto mb-10 w-full max-w-200 overflow-x-auto not-first:break-before-page print:mb-0 print:max-w-none print:overflow-visible">
      <PrintHeader
        title={t('desk.print.title')}
        text={
          <>
            {inLang(load.vendorName, load.vendorNameAr)} ·{' '}
            {t('desk.print.day', { day: formatDay(load.day, lang, 'long') })}
          </>
        }
        sum={
          <>
            {t('desk.print.orders', { count: load.orders.length })}
            {carrying > 0 && <> · {t('desk.print.drivers', { count: carrying })}</>}
          </>
        }
        printed={t('desk.print.printed', { when: nowInWords(lang) })}
      />
      <Heading title={t('desk.print.products')} hint={t('desk.print.tick')} />
      <Products load={load} />
      <Heading title={t('desk.print.inOrder')} hint={t('desk.print.lastFirst')} />
      <Orders load={load} />
      <footer className="mt-8 flex break-inside-avoid gap-10 border-t border-line pt-2 text-[0.8125rem] text-ink-2">
        <Signature label={t('desk.print.preparedBy')} />
        <Signature label={t('desk.print.checkedBy')} />
      </footer>
    </section>
  )
}

/** A label and a line to sign on. */
const Signature = ({ label }: { label: string }) => (
  <p className="flex flex-1 items-end gap-2">
    {label}
    <span className="h-5 flex-1 border-b border-dotted border-ink-3" />
  </p>
)

const Heading = ({ title, hint }: { title: string; hint: string }) => (
  <h3 className="mt-3 mb-0.5 flex items-baseline gap-2.5 break-after-avoid text-body font-strong">
    {title}
    <span className="text-[0.75rem] font-regular text-ink-3">{hint}</span>
  </h3>
)

const count = 'text-center!'

function Products({ load: { drivers, products, quantity } }: { load: Load }) {
  const t = useT()
  const nameIn = useNameIn()
  const shown = drivers.length <= MOST_DRIVERS && drivers.some(({ id }) => id !== 0) ? drivers : []
  const isNamed = shown.length <= MOST_NAMED
  return (
    <table className="paper-table w-full table-fixed border-collapse">
      <colgroup>
        <col />
        {shown.map(({ id }) => (
          <col key={id} className={isNamed ? 'w-19' : 'w-11'} />
        ))}
        <col className="w-21" />
        <col className="w-13" />
      </colgroup>
      <thead>
        <tr>
          <th scope="col">{t('desk.print.product')}</th>
          {shown.map((driver) => (
            <th key={driver.id} scope="col" className={classes(count, 'wrap-break-word whitespace-normal')}>
              <DriverName drivers={drivers} id={driver.id} isShort={!isNamed} />
            </th>
          ))}
          <th scope="col" className={count}>
            {t('desk.print.sum')}
          </th>
          <th scope="col" className={count}>
            {t('desk.print.done')}
          </th>
        </tr>
      </thead>
      <tbody>
        {products.map((product) => (
          <tr key={product.key}>
            <td className="h-8.5">
              <span className="flex items-center gap-2.5">
                <Bottle shape={silhouetteOf(product.size)} tint={product.tint} height={30} />
                <span className="min-w-0 wrap-anywhere">
                  <bdi className="whitespace-normal">{nameIn(product)}</bdi>{' '}
                  <span className="dots inline-flex text-ink-2">
                    <UnitOf product={product} />
                  </span>
                </span>
              </span>
            </td>
            {shown.map(({ id }) => (
              <td key={id} className={classes(count, 'text-heading font-strong')}>
                <bdi>{product.byDriver.get(id) ?? '–'}</bdi>
              </td>
            ))}
            <td className={classes(count, 'bg-well text-heading font-strong print:bg-well-2')}>
              <bdi>{product.quantity}</bdi>
            </td>
            <td className={count}>
              <PrintCheckbox />
            </td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr className="font-strong">
          <td>{t('desk.print.units')}</td>
          {shown.map((driver) => (
            <td key={driver.id} className={count}>
              <bdi>{driver.quantity}</bdi>
            </td>
          ))}
          <td className={count}>
            <bdi>{quantity}</bdi>
          </td>
          <td>&nbsp;</td>
        </tr>
      </tfoot>
    </table>
  )
}

function Orders({ load: { drivers, orders } }: { load: Load }) {
  const t = useT()
  const keys = ['done', 'driver', 'stop', 'order', 'customer', 'area', 'items', 'unitsShort'] as const
  return (
    <table className="paper-table w-full table-fixed border-collapse">
      <colgroup>
        {['w-7', 'w-24', 'w-12', 'w-14', 'w-30', 'w-26', undefined, 'w-13'].map((width, at) => (
          <col key={at} className={width} />
        ))}
      </colgroup>
      <thead>
        <tr>
          {keys.map((key) => (
            <th key={key} scope="col">
              {t(key === 'done' || key === 'stop' || key === 'unitsShort' ? `desk.print.${key}` : `desk.column.${key}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {orders.map((line, at) => (
          <OrderRow
            key={line.order.id}
            line={line}
            drivers={drivers}
            isFirst={at > 0 && orders[at - 1]?.order.driver?.id !== line.order.driver?.id}
          />
        ))}
      </tbody>
    </table>
  )
}

interface OrderRowProps {
  line: LoadOrder
  drivers: readonly LoadDriver[]
  /** First order of the next driver. */
  isFirst: boolean
}

function OrderRow({ line: { order, stop, quantity }, drivers, isFirst }: OrderRowProps) {
  return (
    <tr className={classes('break-inside-avoid', isFirst && 'border-t-2 border-ink')}>
      <td className="h-8">
        <PrintCheckbox />
      </td>
      <td className="truncate">
        <DriverName drivers={drivers} id={order.driver?.id ?? 0} />
      </td>
      <td className="text-heading font-strong">{stop !== null && <bdi>{stop}</bdi>}</td>
      <td>
        <bdi dir="ltr" className="font-strong">
          {shortId(order.id)}
        </bdi>
      </td>
      <td className="leading-snug">
        <bdi className="whitespace-normal">{order.customerName}</bdi>
      </td>
      <td className="leading-snug">
        <AreaName order={order} />
      </td>
      <td>
        <PrintedItems items={order.items} />
      </td>
      <td>
        <bdi>{quantity}</bdi>
      </td>
    </tr>
  )
}

interface DriverNameProps {
  drivers: readonly LoadDriver[]
  /** 0 means no driver. */
  id: number
  isShort?: boolean
}

/** The mark, and the given name or, if another driver has the same, the whole one. */
function DriverName({ drivers, id, isShort = false }: DriverNameProps) {
  const t = useT()
  const at = drivers.findIndex((driver) => driver.id === id)
  const driver = drivers[at]
  if (!driver?.name) return <>{isShort ? '—' : t('desk.filter.noDriver')}</>
  const first = givenName(driver.name)
  const isOnly = drivers.every((other) => other === driver || givenName(other.name ?? '') !== first)
  return (
    <>
      <DriverMark name={driver.name} initials={driver.initials} at={at} />{' '}
      <bdi className={isShort ? 'sr-only' : undefined}>{isOnly ? first : driver.name}</bdi>
    </>
  )
}
