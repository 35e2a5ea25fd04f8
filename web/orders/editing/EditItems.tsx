import type { Input } from '@qatra/contract/endpoint'
import type { ErrorDetails } from '@qatra/contract/errors'
import { formatMoney, fromBhd } from '@qatra/contract/lib/money'
import { editMyItems } from '@qatra/contract/orders/editing'
import type { Order } from '@qatra/contract/orders/orders'
import type { totalsKeys } from '@qatra/contract/orders/totals'
import { listProducts } from '@qatra/contract/products/products'
import { eachText } from '@qatra/contract/products/unit-text'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNameIn, useSizedName } from '../../app/names.ts'
import { LineBottles } from '../../cart/LineBottles.tsx'
import { useVendor } from '../../catalogue/api.ts'
import { type CallError, call, detailsOf, read } from '../../lib/api-client.ts'
import { type Translate, useLanguage } from '../../lib/language/i18n.tsx'
import { refusalText } from '../../lib/refusal.ts'
import { useAction } from '../../lib/use-action.ts'
import { Money, UnitOf } from '../../ui/Bidi.tsx'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { AgainIcon, EditIcon } from '../../ui/icons.tsx'
import { Stepper } from '../../ui/Stepper.tsx'
import { toast } from '../../ui/Toast.tsx'
import { Quantity } from '../../ui/Units.tsx'
import { orderQuery } from '../api.ts'
import { invalidateOrders } from '../invalidate-orders.ts'
import { type EditedRow, itemsAfter, type Quantities, rowsOf, sumsOf } from './edited-items.ts'

type Body = NonNullable<Input<typeof editMyItems>['body']>

/** Changes the items of an own order. */
export function EditMyItems({ order }: { order: Order }) {
  const { t, lang } = useLanguage()
  const queries = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  if (!order.can.items) return null
  return (
    <>
      <Button icon={EditIcon} onClick={() => setOpen(true)}>
        {t('edit.change')}
      </Button>
      {isOpen && (
        <EditItemsDialog
          order={order}
          onClose={() => setOpen(false)}
          onStale={() => void queries.invalidateQueries({ queryKey: orderQuery(order.id).queryKey })}
          send={async (body) => {
            const edited = await call(editMyItems, { params: { id: order.id }, body })
            queries.setQueryData(orderQuery(order.id).queryKey, edited)
            void invalidateOrders(queries)
            toast({ title: t('edit.saved', { total: formatMoney(fromBhd(edited.total), lang) }) })
          }}
        />
      )}
    </>
  )
}

/** Why the items of an order cannot be changed (any more), by the details of `EDIT_CLOSED`. */
export function closedReason(details: Partial<ErrorDetails['EDIT_CLOSED']>) {
  if (details.products) return 'edit.agreed'
  if (details.mostEdits) return 'edit.tooOften'
  if (details.hasReceipt) return 'edit.receipt'
  return details.paymentStatus === 'paid' ? 'edit.paid' : 'edit.closed'
}

/** The text of a refused edit. */
export function editRefusal(t: Translate, error: CallError): string {
  const { code, details } = error
  if (code === 'EDIT_CLOSED') return t(closedReason(detailsOf(error, code)))
  const isAgreed = (code === 'FORBIDDEN' || code === 'PRICE_BELOW_FLOOR') && details['products']
  return isAgreed ? t('edit.agreed') : refusalText(t, error, 'edit')
}

export type EditedOrder = Pick<Order, 'items' | (typeof totalsKeys)[number]>

interface EditItemsDialogProps {
  order: Order
  /** @param edited what the order shows once it is saved */
  send(body: Body, edited: EditedOrder): Promise<void>
  /** The shown order is not the current one. */
  onStale(): void
  onClose(): void
  className?: string
}

/** Quantities of all products of the vendor, with the new total before it is saved. */
export function EditItemsDialog({ order, send, onStale, onClose, className }: EditItemsDialogProps) {
  const { t, lang } = useLanguage()
  const queries = useQueryClient()
  const vendor = useVendor(order.vendorId)
  const products = read(listProducts, { query: { vendorId: String(order.vendorId) } })
  const { data, isError, refetch } = useQuery({ ...products, refetchOnMount: 'always' })
  const [quantities, setQuantities] = useState<Quantities>(new Map())
  const [empties, setEmpties] = useState<Quantities>(new Map())
  const money = (bhd: number) => formatMoney(fromBhd(bhd), lang)
  const rows = rowsOf(order, data, quantities, empties)
  const { total, totals, difference, missing, isEmpty, isChanged } = sumsOf(order, rows, vendor?.minDeliveryAmount ?? 0)
  const { busy, problem, run } = useAction((error) => {
    const { code } = error
    if (code === 'EDIT_CLOSED' || code === 'VERSION_CONFLICT') onStale()
    if (code === 'PRODUCT_UNAVAILABLE' || code === 'PRICE_CHANGED')
      void queries.invalidateQueries({ queryKey: [listProducts.path] })
    return editRefusal(t, error)
  })
  const save = () =>
    run(async () => {
      const items = rows
        .filter(({ quantity }) => quantity > 0)
        .map(({ productId, quantity, empties: given }) => ({ productId, quantity, empties: given ?? undefined }))
      await send({ items, expectedTotal: total, version: order.version }, { items: itemsAfter(order, rows), ...totals })
      onClose()
    })
  function reason() {
    if (isEmpty) return t('edit.empty')
    if (!isChanged) return t('edit.nothing')
    return missing > 0 ? t('edit.minimum', { amount: money(missing) }) : null
  }
  return (
    <Dialog
      open
      {...(className ? { className } : {})}
      title={t('edit.title')}
      safe={{ label: t('edit.keep'), onChoose: onClose }}
      action={{
        label: t('edit.save', { total: money(total) }),
        tone: 'gulf',
        busy,
        reason: reason(),
        onChoose: () => void save(),
      }}
    >
      <p className="text-label">{t('edit.hint')}</p>
      {isError ? (
        <div role="alert" className="mt-3">
          <p>{t('edit.failed')}</p>
          <Button icon={AgainIcon} className="mt-2" onClick={() => void refetch()}>
            {t('edit.retry')}
          </Button>
        </div>
      ) : (
        <ul aria-busy={data === undefined} className="mt-3 max-h-[45vh] overflow-y-auto text-ink">
          {rows.map((row) => (
            <Row
              key={row.productId}
              row={row}
              onChange={(quantity) => setQuantities(new Map(quantities).set(row.productId, quantity))}
              onEmpties={(given) => setEmpties(new Map(empties).set(row.productId, given))}
            />
          ))}
        </ul>
      )}
      <dl className="mt-3 border-t border-line pt-2.5 text-ink">
        <div className="flex justify-between gap-3">
          <dt>{t('edit.before')}</dt>
          <dd>
            <Money bhd={order.total} />
          </dd>
        </div>
        {difference !== 0 && (
          <div className="flex justify-between gap-3 font-strong" role="status">
            <dt>{t(difference > 0 ? 'edit.more' : 'edit.less')}</dt>
            <dd>
              <Money bhd={Math.abs(difference)} />
            </dd>
          </div>
        )}
      </dl>
      <p role="alert" className={problem ? 'mt-2 text-label text-clay' : 'hidden'}>
        {problem}
      </p>
    </Dialog>
  )
}

interface RowProps {
  row: EditedRow
  onChange(quantity: number): void
  onEmpties(empties: number): void
}

function Row({ row, onChange, onEmpties }: RowProps) {
  const words = useLanguage()
  const nameIn = useNameIn()
  const sizedName = useSizedName()
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
      <div className="min-w-0 flex-1 basis-36">
        <p dir="auto" className="text-start leading-[1.5]">
          {nameIn(row)}
        </p>
        <p className="dots text-label text-ink-3">
          {row.quantity > 0 ? <Quantity of={row} count={row.quantity} /> : <UnitOf product={row} />}{' '}
          <bdi>{eachText(words, row, formatMoney(fromBhd(row.price), words.lang))}</bdi>{' '}
          {row.max < 100 && <span>{words.t('edit.gone')}</span>}
        </p>
      </div>
      <Stepper name={sizedName(row)} quantity={row.quantity} max={row.max} onChange={onChange} className="w-38" />
      {row.empties !== null && row.bottleDeposit !== null && row.quantity > 0 && (
        <div className="basis-full">
          <LineBottles
            name={sizedName(row)}
            quantity={row.quantity}
            empties={row.empties}
            each={row.bottleDeposit}
            onChange={onEmpties}
          />
        </div>
      )}
    </li>
  )
}
