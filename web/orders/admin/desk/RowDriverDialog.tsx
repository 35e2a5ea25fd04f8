import type { AdminOrder } from '@qatra/contract/orders/admin'
import { DriverDialog } from '../DriverDialog.tsx'

import { type Bulk, mayMove } from './use-bulk.ts'

interface RowDriverDialogProps {
  order: AdminOrder
  bulk: Bulk
  onClose(): void
}

/** Assigns a driver from the row; can be undone like a bulk action. */
export function RowDriverDialog({ order, bulk, onClose }: RowDriverDialogProps) {
  return (
    <DriverDialog
      orders={[order]}
      current={order.assignedDriverId}
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
