import type { AdminOrderDetail } from '@qatra/contract/orders/admin'
import { formatOrderId, shortId } from '@qatra/contract/orders/order-id'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { Page } from '../../../app/page.ts'
import { isMissing } from '../../../lib/api-client.ts'
import { useT } from '../../../lib/language/i18n.tsx'
import { AdminPageLayout } from '../../../ui/admin/AdminPageLayout.tsx'
import { CopyButton } from '../../../ui/admin/CopyButton.tsx'
import { ChatReturn, useChat } from '../../../ui/admin/chat-return.tsx'
import { PanelPart } from '../../../ui/admin/SidePanel.tsx'
import { toolbarButtonClass } from '../../../ui/admin/ToolbarButton.tsx'
import { OrderId } from '../../../ui/Bidi.tsx'
import { StartIcon } from '../../../ui/icons.tsx'
import { orderQuery, timelineQuery } from '../order-cache.ts'
import { PanelProblem, PanelSkeleton } from '../PanelStates.tsx'
import { useOrderActions } from '../use-order-actions.ts'
import { useUndoQueue } from '../use-undo-queue.ts'
import { AddressTool } from './AddressDialog.tsx'
import { BuyerTool } from './BuyerDialog.tsx'
import { EditItemsTool } from './EditItemsTool.tsx'
import { MoveDayTool } from './MoveDay.tsx'
import { CustomerPart, ItemsPart, PlacePart } from './OrderContent.tsx'
import { DayPart, DriverPart, RatingPart } from './OrderDelivery.tsx'
import { OrderHead } from './OrderHead.tsx'
import { OrderDriverDialog } from './OrderPanel.tsx'
import { OrderTimeline } from './OrderTimeline.tsx'
import { OrderTools } from './OrderTools.tsx'
import { PaymentsPart } from './PaymentsPart.tsx'
import { SyncPart } from './SyncPart.tsx'

function AdminOrderPage() {
  const t = useT()
  const { id = '' } = useParams({ strict: false })
  const { data, error, refetch } = useQuery(orderQuery(id))
  const chat = useChat()
  const back =
    chat !== null ? (
      <ChatReturn />
    ) : (
      <Link to={'/admin/orders' as '/admin'} className={toolbarButtonClass()}>
        <StartIcon size={16} aria-hidden="true" className="text-ink-3" />
        {t('desk.back')}
      </Link>
    )
  if (data) return <OpenOrder key={data.id} data={data} back={back} />
  return (
    <AdminPageLayout
      title={error && isMissing(error) ? t('desk.missing') : t('desk.pageTitle', { id: formatOrderId(id) })}
      actions={back}
    >
      {error ? <PanelProblem error={error} onRetry={() => void refetch()} /> : <PanelSkeleton />}
    </AdminPageLayout>
  )
}

/** The contents of the order panel as a page. */
function OpenOrder({ data, back }: { data: AdminOrderDetail; back: ReactNode }) {
  const t = useT()
  const undoQueue = useUndoQueue()
  const actions = useOrderActions(data.id, undoQueue)
  const [order = data] = undoQueue.shown([data])
  const [isChoosing, setIsChoosing] = useState(false)
  const choose = () => setIsChoosing(true)
  return (
    <AdminPageLayout
      title={<OrderId id={order.id} />}
      subtitle={<CopyButton text={order.id} label={t('desk.column.order')} />}
      actions={back}
    >
      <div className="grid max-w-260 content-start pb-8 lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)] lg:gap-x-4 lg:px-1">
        <div className="min-w-0">
          <div className="px-5 pb-4">
            <OrderHead order={order} actions={actions} onChooseDriver={choose} />
          </div>
          <DayPart order={order} tool={<MoveDayTool order={order} actions={actions} />} />
          <DriverPart order={order} onChange={choose} />
          <RatingPart order={order} />
          <CustomerPart order={order} tool={<BuyerTool order={order} />} />
          <PlacePart order={order} tool={<AddressTool order={order} onOpen={actions.settle} />} />
          <ItemsPart order={order} tool={<EditItemsTool order={order} actions={actions} />} />
          <PaymentsPart order={order} actions={actions} heading="h2" />
          <SyncPart order={order} />
        </div>
        <div className="min-w-0 max-lg:border-t max-lg:border-line">
          <OrderTools order={order} actions={actions} onChooseDriver={choose} />
          <PanelPart heading="h2" title={t('desk.timeline')}>
            <OrderTimeline id={order.id} items={order.items} />
          </PanelPart>
        </div>
      </div>
      {isChoosing && <OrderDriverDialog order={order} actions={actions} onClose={() => setIsChoosing(false)} />}
    </AdminPageLayout>
  )
}

export const page: Page = {
  Component: AdminOrderPage,
  load: ({ queries, params: { id = '' } }) =>
    Promise.all([queries.prefetchQuery(orderQuery(id)), queries.prefetchQuery(timelineQuery(id))]),
  head: ({ t, params: { id = '' } }) => ({
    title: t('desk.pageTitle', { id: shortId(id) }),
    hidden: true,
  }),
}
