import type { Input } from '@qatra/contract/endpoint'
import { dirOf } from '@qatra/contract/lib/lang'
import type { AdminOrderDetail } from '@qatra/contract/orders/admin'
import { changeAddress } from '@qatra/contract/orders/delivery'
import { shortId } from '@qatra/contract/orders/order-id'
import { listAreas } from '@qatra/contract/places/areas'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNameIn } from '../../../app/names.ts'
import { composeAddress, filledParts, partLengths, partNames, toParts } from '../../../checkout/address.ts'
import { useCoverage } from '../../../checkout/coverage.ts'
import { useBlockHint } from '../../../checkout/use-block-hint.ts'
import { call, detailsOf, read } from '../../../lib/api-client.ts'
import { useLanguage, useT } from '../../../lib/language/i18n.tsx'
import { MapPicker, pinSourceOf } from '../../../map/MapPicker.tsx'
import { Combobox } from '../../../ui/admin/form/Combobox.tsx'
import { Form } from '../../../ui/admin/form/Form.tsx'
import { useForm } from '../../../ui/admin/form/use-form.ts'
import { EditIcon } from '../../../ui/admin/icons.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { TextArea, TextField } from '../../../ui/Field.tsx'
import { toast } from '../../../ui/Toast.tsx'

import { cacheOrder } from '../order-cache.ts'

type Body = NonNullable<Input<typeof changeAddress>['body']>
const link = 'min-h-9 text-label font-strong text-aqua-ink hover:underline max-md:min-h-tap'

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
  const { t, lang } = useLanguage()
  const nameIn = useNameIn()
  const queries = useQueryClient()
  const [hasMap, setMap] = useState(false)
  const { data: areas } = useQuery(read(listAreas))
  const before = toParts(order.addressParts)
  const form = useForm({
    body: changeAddress.body,
    start: {
      addressParts: before,
      /** Full address as one text; null while it is composed from its parts. */
      address: order.addressParts?.block ? null : order.address,
      mapCoordinates: order.mapCoordinates,
      pinSource: order.pinSource,
      instructions: order.instructions ?? '',
      keepsReceiver: true,
    },
    toBody: ({ addressParts, instructions, mapCoordinates, pinSource, keepsReceiver }): Body => ({
      address,
      instructions,
      version: order.version,
      addressParts: isOwn ? null : filledParts(addressParts),
      ...(isMoved ? { mapCoordinates, pinSource } : {}),
      ...(keepsReceiver ? {} : { receiverName: null, receiverPhone: null }),
    }),
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
  const { values, errors, set } = form
  const isOwn = values.address !== null
  const isMoved = values.mapCoordinates !== order.mapCoordinates
  const { coverage } = useCoverage(values.mapCoordinates, order.vendorId)
  const area = 'area' in coverage ? coverage.area : null
  const blockHint = useBlockHint(values.addressParts.block, area)
  const isSameDoor = !isMoved && JSON.stringify(values.addressParts) === JSON.stringify(before)
  const address =
    values.address ?? (isSameDoor ? order.address : composeAddress(t, area ? nameIn(area) : '', values.addressParts))
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
        <Combobox
          required
          label={t('desk.filter.area')}
          value={area?.id ?? null}
          {...(area ? { chosenLabel: nameIn(area) } : {})}
          error={
            errors.mapCoordinates ??
            (isRefused && (area ? t('desk.address.refuses', { area: nameIn(area) }) : t('desk.address.outside')))
          }
          onChange={(id) => {
            const centre = areas?.find((one) => one.id === id)?.centre
            if (centre) set({ mapCoordinates: centre, pinSource: 'area' })
          }}
          options={areas?.map((one) => ({
            value: one.id,
            label: nameIn(one),
            also: `${one.name} ${one.nameAr ?? ''}`,
            ...(one.vendorIds.includes(order.vendorId) ? {} : { hint: t('desk.address.notServed') }),
          }))}
        />
        {isOwn ? (
          <div data-first="">
            <TextArea label={t('checkout.address')} rows={2} maxLength={500} {...form.text('address')} />
          </div>
        ) : (
          <div data-first="" className="grid grid-cols-2 items-start gap-3 sm:grid-cols-4">
            {partNames.map((name) => (
              <TextField
                key={name}
                label={t(`checkout.${name}`)}
                dir={dirOf(lang)}
                inputMode={name === 'block' ? 'numeric' : 'text'}
                autoComplete="off"
                maxLength={partLengths[name]}
                value={values.addressParts[name]}
                hint={name === 'block' && blockHint}
                error={name === 'block' ? (errors.addressParts ?? errors.address) : undefined}
                onChange={({ target }) => set({ addressParts: { ...values.addressParts, [name]: target.value } })}
              />
            ))}
          </div>
        )}
        <div className="-my-2 flex flex-wrap items-center gap-x-5">
          {!isOwn && (
            <p dir="auto" className="min-w-0 flex-1 basis-60 py-1 text-label text-ink-3">
              {address}
            </p>
          )}
          <button type="button" className={link} onClick={() => set({ address: isOwn ? null : address })}>
            {t(isOwn ? 'checkout.address.parts' : 'checkout.address.own')}
          </button>
          <button type="button" className={link} aria-expanded={hasMap} onClick={() => setMap(!hasMap)}>
            {t(hasMap ? 'desk.address.mapHide' : 'desk.address.map')}
          </button>
        </div>
        {hasMap && (
          <MapPicker
            point={values.mapCoordinates}
            source={values.pinSource}
            areaId={area?.id ?? null}
            onChoose={(mapCoordinates, by) => set({ mapCoordinates, pinSource: pinSourceOf[by] })}
          />
        )}
        {!isMoved && !isSameDoor && <p className="text-ink-2">{t('desk.address.pinStays')}</p>}
        <TextField
          label={t('desk.address.instructions')}
          autoComplete="off"
          maxLength={1000}
          {...form.text('instructions')}
        />
        {(order.receiverName !== null || order.receiverPhone !== null) && (
          <label className="flex min-h-tap cursor-pointer items-center gap-3">
            <input
              type="checkbox"
              checked={values.keepsReceiver}
              onChange={({ target }) => set({ keepsReceiver: target.checked })}
              className="tick"
            />
            {t('checkout.receiver')}
          </label>
        )}
        {/* Enter in a field submits; the visible button is outside the form. */}
        <button type="submit" hidden>
          {t('desk.address.save')}
        </button>
      </Form>
    </Dialog>
  )
}
