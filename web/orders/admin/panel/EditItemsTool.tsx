import type { AdminOrderDetail } from '@qatra/contract/orders/admin'
import { editItems } from '@qatra/contract/orders/editing'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../lib/api-client.ts'
import { useT } from '../../../lib/language/i18n.tsx'
import { EditIcon } from '../../../ui/admin/icons.ts'
import { ToolbarButton } from '../../../ui/admin/ToolbarButton.tsx'
import { EditItemsDialog } from '../../editing/EditItems.tsx'
import { cacheOrder, renewOrder } from '../order-cache.ts'

/** Opens the dialog, below the items of an order. */
export function EditItemsTool({ order, onOpen }: { order: AdminOrderDetail; onOpen(): unknown }) {
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
          onOpen()
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
          send={async (body) => {
            const edited = await call(editItems, { params: { id: order.id }, body })
            cacheOrder(queries, edited)
            return edited
          }}
        />
      )}
    </>
  )
}
