import { editMyAddress } from '@qatra/contract/orders/editing'
import type { Order } from '@qatra/contract/orders/orders'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNameIn } from '../../app/names.ts'
import { AddressFields, AddressMap } from '../../checkout/AddressFields.tsx'
import {
  type AddressFieldName,
  type AddressForm,
  addressChangeOf,
  addressFieldAt,
  formOf,
  missingIn,
} from '../../checkout/address-form.ts'
import { useAddressForm } from '../../checkout/use-address-form.ts'
import { call, detailsOf } from '../../lib/api-client.ts'
import { useT } from '../../lib/language/i18n.tsx'
import { refusalText } from '../../lib/refusal.ts'
import { useAction } from '../../lib/use-action.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { schemaErrors, serverErrors } from '../../ui/form/form-errors.ts'
import { useFormState } from '../../ui/form/use-form.ts'
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
  const state = useFormState<AddressForm, AddressFieldName>(start)
  const place = useAddressForm(state, { vendorId: order.vendorId, audience: 'customer' })
  const { form, coverage, isInArea } = place
  const { isMoved, isSamePlace, bodyWith } = addressChangeOf(order, start, form)
  const [hasMap, setMap] = useState(false)
  const { busy, problem, run } = useAction((error) => {
    const { code, details } = error
    state.setErrors(serverErrors(details.fields, (path) => addressFieldAt(path, form)))
    if (code === 'EDIT_CLOSED' || code === 'VERSION_CONFLICT')
      void queries.invalidateQueries({ queryKey: orderQuery(order.id).queryKey })
    return code === 'EDIT_CLOSED' ? t(closedReason(detailsOf(error, code))) : refusalText(t, error, 'edit')
  })
  function save() {
    const body = bodyWith(place.address)
    const fieldAt = (path: readonly PropertyKey[]) => addressFieldAt(path, form)
    const wrong = { ...schemaErrors(editMyAddress.body, body, fieldAt, t), ...missingIn(form, isInArea, t) }
    state.setErrors(wrong)
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
        {hasMap && <AddressMap state={place} />}
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
