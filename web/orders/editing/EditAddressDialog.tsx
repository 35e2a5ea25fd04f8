import { editMyAddress } from '@qatra/contract/orders/editing'
import type { Order } from '@qatra/contract/orders/orders'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNameIn } from '../../app/names.ts'
import { AddressFields } from '../../checkout/AddressFields.tsx'
import { addressFieldAt, deliveryOf, formOf, missingIn } from '../../checkout/address-form.ts'
import { useAddressForm } from '../../checkout/use-address-form.ts'
import { call, detailsOf } from '../../lib/api-client.ts'
import { useT } from '../../lib/language/i18n.tsx'
import { refusalText } from '../../lib/refusal.ts'
import { useAction } from '../../lib/use-action.ts'
import { MapPicker } from '../../map/MapPicker.tsx'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { schemaErrors, serverErrors } from '../../ui/form/form-errors.ts'
import { toast } from '../../ui/Toast.tsx'
import { orderQuery } from '../api.ts'
import { invalidateOrders } from '../invalidate-orders.ts'
import { vendorOf } from '../OrderCard.tsx'
import { closedReason } from './EditItems.tsx'

/** The address of an own order, in a chunk of its own with the map. */
export function AddressDialog({ order, onClose }: { order: Order; onClose(): void }) {
  const t = useT()
  const nameIn = useNameIn()
  const queries = useQueryClient()
  const [start] = useState(() => formOf(order, null))
  const place = useAddressForm(() => start, order.vendorId)
  const { form, coverage, isInArea } = place
  const [hasMap, setMap] = useState(false)
  const isMoved = form.point !== start.point
  const isSamePlace = !isMoved && form.parts === start.parts && form.ownAddress === start.ownAddress
  const { busy, problem, run } = useAction((error) => {
    const { code, details } = error
    place.setProblems(serverErrors(details.fields, (path) => addressFieldAt(path, form)))
    if (code === 'EDIT_CLOSED' || code === 'VERSION_CONFLICT')
      void queries.invalidateQueries({ queryKey: orderQuery(order.id).queryKey })
    return code === 'EDIT_CLOSED' ? t(closedReason(detailsOf(error, code))) : refusalText(t, error, 'edit')
  })
  function save() {
    // The text of an unchanged place stays in the language in which it was entered.
    const address = isSamePlace ? order.address : place.address
    const { mapCoordinates, addressParts, ...delivery } = deliveryOf(form, address)
    const body = {
      // Clears a receiver that was removed.
      receiverName: null,
      receiverPhone: null,
      ...delivery,
      addressParts: form.ownAddress === null ? addressParts : null,
      ...(isMoved ? { mapCoordinates } : {}),
      version: order.version,
    }
    const fieldAt = (path: readonly PropertyKey[]) => addressFieldAt(path, form)
    const wrong = { ...schemaErrors(editMyAddress.body, body, fieldAt, t), ...missingIn(form, isInArea, t) }
    place.setProblems(wrong)
    const [first] = Object.keys(wrong)
    if (first) return document.getElementById(`checkout-${first}`)?.focus()
    void run(async () => {
      const edited = await call(editMyAddress, { params: { id: order.id }, body })
      queries.setQueryData(orderQuery(order.id).queryKey, edited)
      toast({ title: t('edit.address.saved') })
      onClose()
      void invalidateOrders(queries)
    })
  }
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
      action={{ label: t('edit.address.save'), tone: 'gulf', busy, reason: refusal(), onChoose: save }}
    >
      <div className="mt-3 grid gap-3 text-ink">
        <Button tone="outline" aria-expanded={hasMap} className="justify-self-start" onClick={() => setMap(!hasMap)}>
          {t(hasMap ? 'edit.address.mapHide' : 'edit.address.mapShow')}
        </Button>
        {hasMap && (
          <MapPicker
            point={form.point}
            source={form.pin.source}
            areaId={'area' in coverage ? coverage.area.id : null}
            onChoose={place.setPoint}
          />
        )}
        <div data-first="">
          <AddressFields state={place} />
        </div>
        {!isMoved && !isSamePlace && <p className="text-label text-ink-2">{t('edit.address.pinStays')}</p>}
      </div>
      <p role="alert" className={problem ? 'mt-2 text-label text-clay' : 'hidden'}>
        {problem}
      </p>
    </Dialog>
  )
}
