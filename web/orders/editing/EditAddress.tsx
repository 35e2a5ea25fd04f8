import type { Order } from '@qatra/contract/orders/orders'
import { useState } from 'react'
import { useT } from '../../lib/language/i18n.tsx'
import { useChunk } from '../../lib/use-chunk.ts'
import { Button } from '../../ui/Button.tsx'
import { toast } from '../../ui/Toast.tsx'

const loadDialog = () => import('./EditAddressDialog.tsx').then((module) => module.AddressDialog)

/** Changes the address of an own order. */
export function EditMyAddress({ order }: { order: Order }) {
  const t = useT()
  const [isOpen, setOpen] = useState(false)
  const AddressDialog = useChunk(loadDialog, {
    need: isOpen,
    onError() {
      setOpen(false)
      toast({ title: t('edit.error.OFFLINE'), tone: 'error' })
    },
  })
  if (!order.can.address) return null
  return (
    <>
      <Button className="no-print mt-3" onClick={() => setOpen(true)}>
        {t('edit.address.change')}
      </Button>
      {isOpen && AddressDialog && <AddressDialog order={order} onClose={() => setOpen(false)} />}
    </>
  )
}
