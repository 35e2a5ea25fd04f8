import type { AdminOrderDetail } from '@qatra/contract/orders/admin'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useT } from '../../../lib/language/i18n.tsx'
import { ToolbarButton } from '../../../ui/admin/ToolbarButton.tsx'
import { EditIcon } from '../../../ui/icons.tsx'
import { EditItemsDialog } from '../../editing/EditItems.tsx'
import { renewOrder } from '../order-cache.ts'
import type { OrderActions } from '../use-order-actions.ts'

/** Opens the dialog, below the items of an order. The change can be undone before it is sent. */
export function EditItemsTool({ order, actions }: { order: AdminOrderDetail; actions: OrderActions }) {
  const t = useT()
  const queries = useQueryClient()
  const [isOpen, setIsOpen] = useState(false)
  if (!order.can.items) return null
  return (
    <>
      <ToolbarButton
        icon={EditIcon}
        className="no-print mt-2.5"
        onClick={() => {
          void actions.settle()
          setIsOpen(true)
        }}
      >
        {t('edit.change')}
      </ToolbarButton>
      {isOpen && (
        <EditItemsDialog
          order={order}
          className="admin max-w-140"
          onClose={() => setIsOpen(false)}
          onStale={() => void renewOrder(queries, order.id)}
          send={actions.editItems}
        />
      )}
    </>
  )
}
