import { changeAddress, createAddress, type SavedAddress } from '@qatra/contract/users/addresses'
import type { FormEvent } from 'react'
import { PlaceFields } from '../checkout/AddressFields.tsx'
import {
  type AddressForm,
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
import { Button } from '../ui/Button.tsx'
import { TextField } from '../ui/Field.tsx'
import { type FieldErrors, schemaErrors, serverErrors } from '../ui/form/form-errors.ts'
import { useFormState } from '../ui/form/use-form.ts'
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
  const state = useFormState<AddressForm & { label: string }, FieldName>(() => ({
    ...(saved ? formOf(saved, saved.id) : emptyAddress),
    label: saved?.label ?? '',
  }))
  const { values: form, errors: problems, setErrors: setProblems, set } = state
  const place = useAddressForm(state, { vendorId: null, audience: 'customer' })
  const fieldOf = (path: readonly PropertyKey[]): FieldName | null =>
    path[0] === 'label' ? 'label' : addressFieldAt(path, form)
  const { busy, problem, run } = useAction((error) => {
    show(serverErrors(error.details.fields, fieldOf))
    return refusalText(t, error, 'profile.book', 'profile')
  })

  function show(wrong: FieldErrors<FieldName>): boolean {
    setProblems(wrong)
    const first = fieldNames.find((name) => wrong[name])
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
      label: form.label.trim() || null,
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
          value={form.label}
          error={problems.label}
          onChange={({ currentTarget }) => set({ label: currentTarget.value })}
        />
        <PlaceFields
          state={place}
          vendorId={null}
          onConfirm={place.confirmPin}
          notice={
            place.coverage.state === 'outside' && (
              <p role="status" className="pt-1.5 text-label text-ink-2">
                {t('checkout.coverage.outside')}
              </p>
            )
          }
        />
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
