import type { AdminOrder } from '@qatra/contract/orders/admin'
import { shortId } from '@qatra/contract/orders/order-id'
import { useT } from '../../../lib/language/i18n.tsx'
import { DriverDialog } from '../DriverDialog.tsx'

import { type Bulk, mayMove } from './use-bulk.ts'

interface RowDriverDialogProps {
  order: AdminOrder
  bulk: Bulk
  onClose(): void
}

/** Assigns a driver from the row; can be undone like a bulk action. */
export function RowDriverDialog({ order, bulk, onClose }: RowDriverDialogProps) {
  const t = useT()
  return (
    <DriverDialog
      vendorId={order.vendorId}
      current={order.assignedDriverId}
      hint={t('desk.driversFor', { id: shortId(order.id) })}
      removable={order.assignedDriverId !== null}
      startable={mayMove(order, 'shipped')}
      onClose={onClose}
      onChoose={(driver, isStarting) => {
        onClose()
        bulk.assign([order], driver, isStarting)
      }}
    />
  )
}
