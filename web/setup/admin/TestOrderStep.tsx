import { deleteTestOrder, placeTestOrder, type SetupItem } from '@qatra/contract/settings/setup'
import { listManagedVendors } from '@qatra/contract/vendors/admin'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useNameIn } from '../../app/names.ts'
import { call, read } from '../../lib/api-client.ts'
import { useT } from '../../lib/language/i18n.tsx'
import { useAction } from '../../lib/use-action.ts'
import { renewNavCount } from '../../notifications/admin/follow.ts'
import { orderQuery } from '../../orders/admin/order-cache.ts'
import { OrderHead } from '../../orders/admin/panel/OrderHead.tsx'
import { OrderDriverDialog } from '../../orders/admin/panel/OrderPanel.tsx'
import { useOrderActions } from '../../orders/admin/use-order-actions.ts'
import { useUndoQueue } from '../../orders/admin/use-undo-queue.ts'
import { CopyButton } from '../../ui/admin/CopyButton.tsx'
import { SelectField } from '../../ui/admin/form/fields.tsx'
import { OrderId } from '../../ui/Bidi.tsx'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { toast } from '../../ui/Toast.tsx'
import { Problem } from './AreasStep.tsx'
import { leaveForStep } from './BackToSetup.tsx'

/** Places the test order of a chosen vendor; deletes it again. */
export function TestOrderStep({ item, isReady }: { item: SetupItem; isReady: boolean }) {
  const t = useT()
  const nameIn = useNameIn()
  const queries = useQueryClient()
  const { data: vendors } = useQuery({
    ...read(listManagedVendors, { query: { limit: 100 } }),
    refetchOnMount: 'always',
  })
  const sellers = vendors?.items.filter(({ isActive, productCount, areaIds }) => {
    return isActive && productCount > 0 && areaIds.length > 0
  })
  const [vendorId, setVendorId] = useState<number | null>(null)
  const [isRemoving, setRemoving] = useState(false)
  const chosen = vendorId ?? sellers?.[0]?.id ?? null
  const { busy, problem, run } = useAction(({ code }) =>
    t(
      code === 'ORDER_EMPTY' || code === 'PRODUCT_UNAVAILABLE'
        ? 'setup.testOrder.noProduct'
        : code === 'VENDOR_DOES_NOT_DELIVER'
          ? 'setup.testOrder.noArea'
          : 'setup.failed',
    ),
  )
  /** Every list and figure may have shown the order. */
  const refresh = () =>
    Promise.all([
      queries.invalidateQueries({ predicate: ({ queryKey: [path] }) => String(path).startsWith('/api/admin/') }),
      renewNavCount({ role: 'super_admin', readsInbox: true }),
    ])
  const place = (id: number) =>
    run(async () => {
      await call(placeTestOrder, { body: { vendorId: id } })
      toast({ title: t('setup.testOrder.placed') })
      await refresh()
    })
  const remove = async () => {
    // Hidden meanwhile: nothing asks for an order that is gone.
    setRemoving(true)
    await run(async () => {
      await call(deleteTestOrder, {})
      toast({ title: t('setup.testOrder.deleted') })
      await refresh()
    })
    setRemoving(false)
  }
  if (item.count)
    return (
      <>
        <p role="status">{t('setup.testOrder.exists')}</p>
        <Problem words={problem} />
        {!isRemoving && <TestOrder key={item.link} id={item.link.slice(item.link.lastIndexOf('/') + 1)} />}
        <div className="flex flex-wrap gap-2.5">
          <Link to={item.link as '/admin'} className={buttonClass('quiet')} onClick={() => leaveForStep('testOrder')}>
            {t('setup.testOrder.open')}
          </Link>
          <Button tone="danger" busy={busy} onClick={() => void remove()}>
            {t('setup.testOrder.delete')}
          </Button>
        </div>
      </>
    )
  return (
    <>
      <Problem words={problem} />
      {item.done && isReady && <ShopLink />}
      <div className="grid max-w-90 gap-4">
        {sellers && sellers.length > 1 && (
          <SelectField<number>
            label={t('setup.testOrder.vendor')}
            name="vendorId"
            value={chosen}
            options={sellers.map((vendor) => ({ value: vendor.id, label: nameIn(vendor) }))}
            onChange={setVendorId}
          />
        )}
        <div>
          <Button
            tone={item.done ? 'quiet' : 'aqua'}
            busy={busy}
            reason={isReady && chosen !== null ? null : t('setup.testOrder.noVendor')}
            onClick={() => chosen !== null && void place(chosen)}
          >
            {t('setup.testOrder.place')}
          </Button>
        </div>
      </div>
    </>
  )
}

/** The order with its next act, as the desk has it. */
function TestOrder({ id }: { id: string }) {
  const { data } = useQuery({ ...orderQuery(id), retry: false })
  const undoQueue = useUndoQueue()
  const actions = useOrderActions(id, undoQueue)
  const [isChoosing, setIsChoosing] = useState(false)
  const [order] = data ? undoQueue.shown([data]) : []
  if (!order) return null
  return (
    <div className="max-w-100 rounded-m border border-line px-4 py-3.5">
      <OrderId id={order.id} />
      <OrderHead order={order} actions={actions} onChooseDriver={() => setIsChoosing(true)} />
      {isChoosing && <OrderDriverDialog order={order} actions={actions} onClose={() => setIsChoosing(false)} />}
    </div>
  )
}

/** What is left once all is done: customers who know the shop. */
function ShopLink() {
  const t = useT()
  return (
    <div className="max-w-160 rounded-m bg-gulf-soft px-4 py-3">
      <p className="font-strong">{t('setup.first')}</p>
      <p className="flex items-center gap-1">
        <a href="/" target="_blank" rel="noreferrer" className="text-gulf underline">
          <bdi dir="ltr">{location.origin}</bdi>
        </a>
        <CopyButton text={location.origin} label={t('setup.first.link')} />
      </p>
    </div>
  )
}
