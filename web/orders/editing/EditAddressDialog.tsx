import type { Input } from '@qatra/contract/endpoint'
import { editMyAddress } from '@qatra/contract/orders/editing'
import type { Order } from '@qatra/contract/orders/orders'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNameIn } from '../../app/names.ts'
import { AddressFields, AddressMap } from '../../checkout/AddressFields.tsx'
import {
  type AddressFieldName,
  addressChangeOf,
  addressFieldAt,
  formOf,
  missingIn,
} from '../../checkout/address-form.ts'
import { useAddressForm } from '../../checkout/use-address-form.ts'
import { call, detailsOf } from '../../lib/api-client.ts'
import { useT } from '../../lib/language/i18n.tsx'
import { refusalText } from '../../lib/refusal.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import type { FieldErrors } from '../../ui/form/form-errors.ts'
import { useForm } from '../../ui/form/use-form.ts'
import { toast } from '../../ui/Toast.tsx'
import { orderQuery } from '../api.ts'
import { invalidateOrders } from '../invalidate-orders.ts'
import { vendorOf } from '../OrderCard.tsx'
import { closedReason } from './EditItems.tsx'

type Body = NonNullable<Input<typeof editMyAddress>['body']>

/** The address of an own order, in a chunk of its own with the map. */
export function AddressDialog({ order, onClose }: { order: Order; onClose(): void }) {
  const t = useT()
  const nameIn = useNameIn()
  const queries = useQueryClient()
  const [start] = useState(() => formOf(order, null))
  const form = useForm({
    body: editMyAddress.body,
    start,
    fieldAt: (path): AddressFieldName | null => addressFieldAt(path, form.values),
    check: (values): FieldErrors<AddressFieldName> => missingIn(values, place.isInArea, t),
    toBody: (): Body => bodyWith(place.address),
    send: (body) => call(editMyAddress, { params: { id: order.id }, body }),
    onSaved(edited) {
      queries.setQueryData(orderQuery(order.id).queryKey, edited)
      toast({ title: t('edit.address.saved') })
      onClose()
      void invalidateOrders(queries)
    },
    failed(error) {
      const { code } = error
      if (code === 'EDIT_CLOSED' || code === 'VERSION_CONFLICT')
        void queries.invalidateQueries({ queryKey: orderQuery(order.id).queryKey })
      return code === 'EDIT_CLOSED' ? t(closedReason(detailsOf(error, code))) : refusalText(t, error, 'edit')
    },
  })
  const place = useAddressForm(form, { vendorId: order.vendorId, audience: 'customer' })
  const { coverage } = place
  const { isMoved, isSamePlace, bodyWith } = addressChangeOf(order, start, form.values)
  const [hasMap, setMap] = useState(false)

  function refusal() {
    if (!isMoved) return null
    if (coverage.state === 'refuses') return t('edit.address.refuses', { vendor: nameIn(vendorOf(order)) })
    return coverage.state === 'outside' ? t('edit.error.OUTSIDE_SERVICE_AREA') : null
  }
  return (
    <Dialog
      open
      title={t('edit.address.title')}
      safe={{ label: t('edit.address.keep'), onChoose: onClose }}
      action={{
        label: t('edit.address.save'),
        tone: 'gulf',
        busy: form.busy,
        reason: refusal(),
        onChoose: () => void form.submit(),
      }}
    >
      <form {...form.props} className="mt-3 grid gap-3 text-ink">
        <Button tone="outline" aria-expanded={hasMap} className="justify-self-start" onClick={() => setMap(!hasMap)}>
          {t(hasMap ? 'edit.address.mapHide' : 'edit.address.mapShow')}
        </Button>
        {hasMap && <AddressMap state={place} />}
        <div data-first="">
          <AddressFields state={place} />
        </div>
        {!isMoved && !isSamePlace && <p className="text-label text-ink-2">{t('edit.address.pinStays')}</p>}
      </form>
      <p role="alert" className={form.failure ? 'mt-2 text-label text-clay' : 'hidden'}>
        {form.failure}
      </p>
    </Dialog>
  )
}
