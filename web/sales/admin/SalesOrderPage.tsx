import { formatDateTime } from '@qatra/contract/calendar/calendar'
import { getSalesOrder } from '@qatra/contract/sales'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import type { Page } from '../../app/page.ts'
import { read } from '../../lib/api-client.ts'
import { useLanguage } from '../../lib/language/i18n.tsx'
import { PaidBadge, StatusBadge } from '../../orders/admin/OrderParts.tsx'
import { CustomerPart, ItemsPart, PlacePart } from '../../orders/admin/panel/OrderContent.tsx'
import { DayPart } from '../../orders/admin/panel/OrderDelivery.tsx'
import { ReceiptButton } from '../../orders/admin/panel/ReceiptButton.tsx'
import { AdminPageLayout } from '../../ui/admin/AdminPageLayout.tsx'
import { ChatReturn } from '../../ui/admin/chat-return.tsx'
import { PanelPart } from '../../ui/admin/SidePanel.tsx'
import { Timeline } from '../../ui/admin/Timeline.tsx'
import { toolbarButtonClass } from '../../ui/admin/ToolbarButton.tsx'
import { OrderId } from '../../ui/Bidi.tsx'

const orderQuery = (id: string) => read(getSalesOrder, { params: { id } })

function SalesOrderPage() {
  const { t, lang } = useLanguage()
  const { id } = useParams({ strict: false }) as { id: string } // the route's own parameter
  const { data: order } = useQuery(orderQuery(id))
  if (!order) return null
  return (
    <AdminPageLayout
      title={<OrderId id={order.id} />}
      subtitle={
        <span className="flex flex-wrap items-center gap-2">
          <StatusBadge order={order} />
          <PaidBadge order={order} />
        </span>
      }
      actions={
        <>
          <ChatReturn />
          <Link to="/admin/sales" className={toolbarButtonClass()}>
            {t('sale.back')}
          </Link>
          <ReceiptButton order={order} place="below" />
        </>
      }
    >
      <div className="grid max-w-260 content-start pb-8 lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)] lg:gap-x-4 lg:px-1">
        <div className="min-w-0">
          <DayPart order={order} />
          <CustomerPart order={order} />
          <PlacePart order={order} />
          <ItemsPart order={order} />
        </div>
        <div className="min-w-0 max-lg:border-t max-lg:border-line">
          <PanelPart heading="h2" title={t('sale.steps')}>
            <Timeline
              label={t('sale.steps')}
              items={[...order.steps].reverse().map((step) => ({
                key: `${step.status}${step.at}`,
                title: t(`admin.status.${step.status}`),
                time: formatDateTime(new Date(step.at), lang),
                exact: step.at,
              }))}
            />
          </PanelPart>
        </div>
      </div>
    </AdminPageLayout>
  )
}

export const page: Page = {
  Component: SalesOrderPage,
  load: ({ queries, params }) => queries.ensureQueryData(orderQuery(params['id'] ?? '')),
  head: ({ t }) => ({ title: t('sale.mine'), hidden: true }),
}
