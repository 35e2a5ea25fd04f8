import type { AdminOrderDetail } from '@qatra/contract/orders/admin'
import { shortId } from '@qatra/contract/orders/order-id'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useT } from '../../../lib/language/i18n.tsx'
import { PanelPart, SidePanel } from '../../../ui/admin/SidePanel.tsx'
import { toolbarButtonClass } from '../../../ui/admin/ToolbarButton.tsx'
import { OrderId } from '../../../ui/Bidi.tsx'
import { DriverDialog } from '../DriverDialog.tsx'

import { orderQuery } from '../order-cache.ts'
import { PanelProblem, PanelSkeleton } from '../PanelStates.tsx'
import { type OrderActions, useOrderActions } from '../use-order-actions.ts'
import type { UndoQueue } from '../use-undo-queue.ts'
import { AddressTool } from './AddressDialog.tsx'
import { BuyerTool } from './BuyerDialog.tsx'
import { EditItemsTool } from './EditItemsTool.tsx'
import { MoveDayTool } from './MoveDay.tsx'
import { CustomerPart, ItemsPart, PlacePart } from './OrderContent.tsx'
import { DayPart, DriverPart, RatingPart } from './OrderDelivery.tsx'
import { OrderHead } from './OrderHead.tsx'
import { OrderTimeline } from './OrderTimeline.tsx'
import { OrderTools } from './OrderTools.tsx'
import { PaymentsPart } from './PaymentsPart.tsx'
import { SyncPart } from './SyncPart.tsx'

interface OrderPanelProps {
  id: string
  undoQueue: UndoQueue
  onClose(): void
}

/** One order beside the list. */
export function OrderPanel(props: OrderPanelProps) {
  return <PanelOf key={props.id} {...props} />
}

function PanelOf({ id, undoQueue, onClose }: OrderPanelProps) {
  const t = useT()
  const { data, error, refetch } = useQuery(orderQuery(id))
  const actions = useOrderActions(id, undoQueue)
  const [order] = data ? undoQueue.shown([data]) : []
  const [isChoosing, setIsChoosing] = useState(false)
  const choose = () => setIsChoosing(true)
  return (
    <SidePanel
      label={t('desk.panel', { id: shortId(id) })}
      title={<OrderId id={id} />}
      onClose={onClose}
      head={order && <OrderHead order={order} actions={actions} onChooseDriver={choose} />}
    >
      {order ? (
        <OpenOrder order={order} actions={actions} onChooseDriver={choose} />
      ) : error ? (
        <PanelProblem error={error} onRetry={() => void refetch()} />
      ) : (
        <PanelSkeleton />
      )}
      {order && isChoosing && (
        <OrderDriverDialog order={order} actions={actions} onClose={() => setIsChoosing(false)} />
      )}
    </SidePanel>
  )
}

interface OpenOrderProps {
  order: AdminOrderDetail
  actions: OrderActions
  onChooseDriver(): void
}

/** All parts of an order with their tools. */
export function OpenOrder({ order, actions, onChooseDriver }: OpenOrderProps) {
  const t = useT()
  return (
    <>
      <DayPart order={order} tool={<MoveDayTool order={order} actions={actions} />} />
      <DriverPart order={order} onChange={onChooseDriver} />
      <RatingPart order={order} />
      <CustomerPart order={order} tool={<BuyerTool order={order} />} />
      <PlacePart order={order} tool={<AddressTool order={order} onOpen={actions.settle} />} />
      <ItemsPart order={order} tool={<EditItemsTool order={order} actions={actions} />} />
      <PaymentsPart order={order} actions={actions} />
      <SyncPart order={order} />
      <PanelPart title={t('desk.timeline')}>
        <OrderTimeline id={order.id} items={order.items} />
      </PanelPart>
      <OrderTools order={order} actions={actions} onChooseDriver={onChooseDriver}>
        <Link to="/admin/orders/$id" params={{ id: order.id }} className={toolbarButtonClass()}>
          {t('desk.openPage')}
        </Link>
      </OrderTools>
    </>
  )
}

interface OrderDriverDialogProps {
  order: AdminOrderDetail
  actions: OrderActions
  onClose(): void
}

export function OrderDriverDialog({ order, actions, onClose }: OrderDriverDialogProps) {
  return (
    <DriverDialog
      orders={[order]}
      current={order.assignedDriverId}
      removable={order.assignedDriverId !== null}
      onClose={onClose}
      onChoose={(driver) => {
        onClose()
        void actions.assign(driver?.id ?? null)
      }}
    />
  )
}
