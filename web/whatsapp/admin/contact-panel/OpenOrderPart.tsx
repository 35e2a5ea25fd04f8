import { slotOf, slotWords } from '@qatra/contract/calendar/slot'
import type { ContactOrder } from '@qatra/contract/whatsapp/inbox/inbox'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useNameIn } from '../../../app/names.ts'
import { useLanguage } from '../../../lib/language/i18n.tsx'
import { orderQuery } from '../../../orders/admin/order-cache.ts'
import { OrderHead } from '../../../orders/admin/panel/OrderHead.tsx'
import { OpenOrder, OrderDriverDialog } from '../../../orders/admin/panel/OrderPanel.tsx'
import { useOrderActions } from '../../../orders/admin/use-order-actions.ts'
import type { UndoQueue } from '../../../orders/admin/use-undo-queue.ts'
import { OrderBadge } from '../../../ui/Badge.tsx'
import { buttonClass } from '../../../ui/Button.tsx'
import { EndIcon } from '../../../ui/icons.tsx'
import { ProductThumb } from '../../../ui/ProductPicture.tsx'
import { shortId } from './order-words.ts'

interface OrderProps {
  order: ContactOrder
  contactId: number
  undoQueue: UndoQueue
}

/** An open order with the actions of the order desk. */
export function OpenOrderPart({ order, contactId, undoQueue }: OrderProps) {
  const { t, lang } = useLanguage()
  const nameIn = useNameIn()
  // People without the right to see orders get the summary alone.
  const { data } = useQuery({ ...orderQuery(order.id), retry: false })
  const actions = useOrderActions(order.id, undoQueue)
  const [shown] = data ? undoQueue.shown([data]) : []
  const [isManaged, setManaged] = useState(false)
  const [isChoosing, setChoosing] = useState(false)
  const choose = () => setChoosing(true)
  const [first] = order.items
  const who = order.driverName ?? nameIn({ name: order.vendorName, nameAr: order.vendorNameAr })
  return (
    <li>
      <div className="flex items-center gap-2.5">
        <ProductThumb size={first?.size ?? ''} imageUrl={first?.imageUrl ?? null} tint={null} px={36} />
        <span className="min-w-0 flex-1 leading-normal">
          <b className="font-strong">
            <bdi dir="ltr">{shortId(order.id)}</bdi>
          </b>
          <span className="block truncate text-ink-3">
            <bdi>{who}</bdi> · <bdi>{slotWords(slotOf(shown ?? order), lang, 'short')}</bdi>
          </span>
        </span>
        {!shown && (
          <OrderBadge status={order.status} staff>
            {t(`admin.status.${order.status}`)}
          </OrderBadge>
        )}
      </div>
      {shown && <OrderHead order={shown} actions={actions} onChooseDriver={choose} />}
      <div className="mt-2 grid grid-cols-2 gap-2">
        {shown && (
          <button
            type="button"
            aria-expanded={isManaged}
            className={buttonClass('quiet', 'small')}
            onClick={() => setManaged(!isManaged)}
          >
            {t(isManaged ? 'inbox.manage.less' : 'inbox.manage')}
          </button>
        )}
        <Link
          to="/admin/orders/$id"
          params={{ id: order.id }}
          search={{ chat: contactId }}
          data-open-order
          className={buttonClass('quiet', 'small', shown ? '' : 'col-span-2')}
        >
          {t('inbox.openInOrders')}
          <EndIcon size={18} aria-hidden="true" />
        </Link>
      </div>
      {shown && isManaged && (
        <div className="-mx-5 mt-3 border-t border-line">
          <OpenOrder order={shown} actions={actions} onChooseDriver={choose} />
        </div>
      )}
      {shown && isChoosing && <OrderDriverDialog order={shown} actions={actions} onClose={() => setChoosing(false)} />}
    </li>
  )
}
