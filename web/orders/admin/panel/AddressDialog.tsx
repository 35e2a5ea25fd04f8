import type { Input } from '@qatra/contract/endpoint'
import type { AdminOrderDetail } from '@qatra/contract/orders/admin'
import { changeAddress } from '@qatra/contract/orders/delivery'
import { shortId } from '@qatra/contract/orders/order-id'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNameIn } from '../../../app/names.ts'
import { AreaCombobox } from '../../../areas/admin/AreaCombobox.tsx'
import { AddressFields } from '../../../checkout/AddressFields.tsx'
import {
  type AddressFieldName,
  type AddressForm,
  addressChangeOf,
  addressFieldAt,
  formOf,
} from '../../../checkout/address-form.ts'
import { useAddressForm } from '../../../checkout/use-address-form.ts'
import { call, detailsOf } from '../../../lib/api-client.ts'
import { useT } from '../../../lib/language/i18n.tsx'
import { Form } from '../../../ui/admin/form/Form.tsx'
import { useForm } from '../../../ui/admin/form/use-form.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { EditIcon } from '../../../ui/icons.tsx'
import { toast } from '../../../ui/Toast.tsx'
import { cacheOrder } from '../order-cache.ts'

type Body = NonNullable<Input<typeof changeAddress>['body']>

/** Opens the dialog, beside the address. */
export function AddressTool({ order, onOpen }: { order: AdminOrderDetail; onOpen(): unknown }) {
  const t = useT()
  const [isOpen, setIsOpen] = useState(false)
  if (!order.can.address) return null
  return (
    <>
      <button
        type="button"
        aria-label={t('desk.address.change')}
        title={t('desk.address.change')}
        className="-my-1 grid size-8 flex-none place-items-center rounded-s text-ink-3 hover:bg-well max-md:-my-2.5 max-md:size-tap"
        onClick={() => {
          onOpen()
          setIsOpen(true)
        }}
      >
        <EditIcon size={16} aria-hidden="true" />
      </button>
      {isOpen && <AddressDialog order={order} onClose={() => setIsOpen(false)} />}
    </>
  )
}

/** Changes the delivery address. The timeline keeps the previous one. */
function AddressDialog({ order, onClose }: { order: AdminOrderDetail; onClose(): void }) {
  const t = useT()
  const nameIn = useNameIn()
  const queries = useQueryClient()
  const [start] = useState((): AddressForm => {
    const stored = formOf(order, null)
    return order.addressParts?.block ? stored : { ...stored, ownAddress: order.address }
  })
  const form = useForm({
    body: changeAddress.body,
    start,
    fieldAt: (path): AddressFieldName | null => addressFieldAt(path, form.values),
    toBody: (): Body => bodyWith(place.address),
    send: (body) => call(changeAddress, { params: { id: order.id }, body }),
    onSaved(answer) {
      cacheOrder(queries, answer)
      toast({ title: t('desk.address.saved', { id: shortId(order.id) }) })
      onClose()
    },
    failureOf: (error) => {
      const { code } = error
      const { area } = detailsOf(error, 'VENDOR_DOES_NOT_DELIVER')
      if (area) return t('desk.address.refuses', { area: nameIn(area) })
      if (code === 'OUTSIDE_SERVICE_AREA') return t('desk.address.outside')
      return code === 'ORDER_CLOSED' ? t('desk.error.ORDER_CLOSED') : null
    },
  })
  const place = useAddressForm(form, { vendorId: order.vendorId, audience: 'staff' })
  const { isMoved, isSameDoor, bodyWith } = addressChangeOf(order, start, form.values)
  const { coverage, area } = place
  const isRefused = isMoved && (coverage.state === 'refuses' || coverage.state === 'outside')

  return (
    <Dialog
      open
      className="admin max-w-140"
      title={t('desk.address.title', { id: shortId(order.id) })}
      safe={{ label: t('admin.cancel'), onChoose: onClose }}
      action={{ label: t('desk.address.save'), tone: 'gulf', busy: form.busy, onChoose: () => void form.submit() }}
    >
      <Form form={form} className="mt-3 text-ink">
        <AreaCombobox
          required
          area={area}
          vendorId={order.vendorId}
          error={
            form.errors.map ??
            (isRefused && (area ? t('desk.address.refuses', { area: nameIn(area) }) : t('desk.address.outside')))
          }
          onChoose={(chosen) => chosen && place.setPoint(chosen.centre, 'list')}
        />
        <div data-first="" className="contents">
          <AddressFields
            state={isSameDoor && form.values.ownAddress === null ? { ...place, address: order.address } : place}
            ids="desk-address"
            className="contents"
            map={{
              show: t('desk.address.map'),
              hide: t('desk.address.mapHide'),
              linkClass: 'min-h-9 max-md:min-h-tap',
              note: !isMoved && !isSameDoor && <p className="text-ink-2">{t('desk.address.pinStays')}</p>,
            }}
            receiver={
              start.receiver && (
                <label className="flex min-h-tap cursor-pointer items-center gap-3">
                  <input
                    type="checkbox"
                    checked={form.values.receiver !== null}
                    onChange={({ target }) => place.setReceiver(target.checked ? start.receiver : null)}
                    className="tick"
                  />
                  {t('checkout.receiver')}
                </label>
              )
            }
          />
        </div>
      </Form>
    </Dialog>
  )
}
