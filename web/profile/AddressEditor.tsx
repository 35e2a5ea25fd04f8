import { changeAddress, createAddress, type SavedAddress } from '@qatra/contract/users/addresses'
import { type FormEvent, useState } from 'react'
import { AddressFields } from '../checkout/AddressFields.tsx'
import { AreaList } from '../checkout/AreaList.tsx'
import {
  addressFieldAt,
  addressFieldNames,
  deliveryOf,
  emptyAddress,
  formOf,
  missingIn,
} from '../checkout/address-form.ts'
import { useAddressForm } from '../checkout/use-address-form.ts'
import { call } from '../lib/api-client.ts'
import { useT } from '../lib/language/i18n.tsx'
import { refusalText } from '../lib/refusal.ts'
import { useAction } from '../lib/use-action.ts'
import { MapPicker } from '../map/MapPicker.tsx'
import { Button } from '../ui/Button.tsx'
import { TextField } from '../ui/Field.tsx'
import { type FieldErrors, schemaErrors, serverErrors } from '../ui/form/form-errors.ts'
import { Sheet } from '../ui/Sheet.tsx'
import { toast } from '../ui/Toast.tsx'
import { useBookChanged } from './address-book.ts'

const LABEL_MOST = 40
const fieldNames = ['label', ...addressFieldNames] as const
type FieldName = (typeof fieldNames)[number]

/** Adds or changes a saved address, with the map and the fields of the checkout. */
export function AddressEditor({ saved, onClose }: { saved: SavedAddress | null; onClose(): void }) {
  const t = useT()
  const changed = useBookChanged()
  const place = useAddressForm(() => (saved ? formOf(saved, saved.id) : emptyAddress), null)
  const { form, problems } = place
  const [label, setLabel] = useState(saved?.label ?? '')
  const [labelProblem, setLabelProblem] = useState<string>()
  const fieldOf = (path: readonly PropertyKey[]): FieldName | null =>
    path[0] === 'label' ? 'label' : addressFieldAt(path, form)
  const { busy, problem, run } = useAction((error) => {
    show(serverErrors(error.details.fields, fieldOf))
    return refusalText(t, error, 'profile.book', 'profile')
  })

  function show({ label: wrongLabel, ...wrong }: FieldErrors<FieldName>): boolean {
    setLabelProblem(wrongLabel)
    place.setProblems(wrong)
    const first = fieldNames.find((name) => (name === 'label' ? wrongLabel : wrong[name]))
    if (!first) return false
    const element = document.getElementById(`checkout-${first}`)
    element?.focus({ preventScroll: true })
    element?.scrollIntoView({ block: 'center' })
    return true
  }
  function submit(event: FormEvent) {
    event.preventDefault()
    if (busy) return
    const body = {
      label: label.trim() || null,
      // Clears the receiver of a changed address.
      receiverName: null,
      receiverPhone: null,
      ...deliveryOf(form, place.address),
    }
    const wrong = { ...schemaErrors(createAddress.body, body, fieldOf, t), ...missingIn(form, place.isInArea, t) }
    if (show(wrong)) return
    void run(async () => {
      await (saved ? call(changeAddress, { params: { id: String(saved.id) }, body }) : call(createAddress, { body }))
      toast({ title: t('profile.book.saved') })
      onClose()
      await changed()
    })
  }
  const area = 'area' in place.coverage ? place.coverage.area : null

  return (
    <Sheet
      title={t(saved ? 'profile.book.change' : 'profile.book.new')}
      closeLabel={t('profile.book.close')}
      onClose={onClose}
      head={null}
    >
      <form noValidate onSubmit={submit} className="grid gap-4 pt-4">
        <TextField
          id="checkout-label"
          name="label"
          label={t('profile.book.label')}
          hint={t('profile.book.labelHint')}
          autoComplete="off"
          maxLength={LABEL_MOST}
          value={label}
          error={labelProblem}
          onChange={({ currentTarget }) => {
            setLabel(currentTarget.value)
            setLabelProblem(undefined)
          }}
        />
        <div>
          <div id="checkout-map" tabIndex={-1}>
            <MapPicker
              point={form.point}
              source={form.pin.source}
              onConfirm={place.confirmPin}
              areaId={area?.id ?? null}
              onChoose={place.setPoint}
            />
          </div>
          <p role="alert" className={problems.map ? 'pt-1.5 text-label text-clay' : 'hidden'}>
            {problems.map}
          </p>
          {place.coverage.state === 'outside' && (
            <p role="status" className="pt-1.5 text-label text-ink-2">
              {t('checkout.coverage.outside')}
            </p>
          )}
        </div>
        <AreaList vendorId={null} areaId={area?.id ?? null} onChoose={({ centre }) => place.setPoint(centre, 'list')} />
        <AddressFields state={place} />
        {problem && (
          <p role="alert" className="text-label text-clay">
            {problem}
          </p>
        )}
        <Button type="submit" tone="aqua" size="big" busy={busy}>
          {t(busy ? 'profile.saving' : 'profile.save')}
        </Button>
      </form>
    </Sheet>
  )
}
