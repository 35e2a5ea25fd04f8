import { changeAddress, createAddress, type SavedAddress } from '@qatra/contract/users/addresses'
import { PlaceFields } from '../checkout/AddressFields.tsx'
import {
  type AddressFieldName,
  addressFieldAt,
  deliveryOf,
  emptyAddress,
  formOf,
  missingIn,
} from '../checkout/address-form.ts'
import { useAddressForm } from '../checkout/use-address-form.ts'
import { call } from '../lib/api-client.ts'
import { useT } from '../lib/language/i18n.tsx'
import { refusalText } from '../lib/refusal.ts'
import { Button } from '../ui/Button.tsx'
import { TextField } from '../ui/Field.tsx'
import type { FieldErrors } from '../ui/form/form-errors.ts'
import { useForm } from '../ui/form/use-form.ts'
import { Sheet } from '../ui/Sheet.tsx'
import { toast } from '../ui/Toast.tsx'
import { useBookChanged } from './address-book.ts'

const LABEL_MOST = 40
type FieldName = 'label' | AddressFieldName

/** Adds or changes a saved address, with the map and the fields of the checkout. */
export function AddressEditor({ saved, onClose }: { saved: SavedAddress | null; onClose(): void }) {
  const t = useT()
  const changed = useBookChanged()
  const form = useForm({
    body: createAddress.body,
    start: { ...(saved ? formOf(saved, saved.id) : emptyAddress), label: saved?.label ?? '' },
    fieldAt: (path): FieldName | null => (path[0] === 'label' ? 'label' : addressFieldAt(path, form.values)),
    check: (values): FieldErrors<FieldName> => missingIn(values, place.isInArea, t),
    toBody: (values) => ({
      label: values.label.trim() || null,
      // Clears the receiver of a changed address.
      receiverName: null,
      receiverPhone: null,
      ...deliveryOf(values, place.address),
    }),
    send: (body) =>
      saved ? call(changeAddress, { params: { id: String(saved.id) }, body }) : call(createAddress, { body }),
    async onSaved() {
      toast({ title: t('profile.book.saved') })
      onClose()
      await changed()
    },
    failed: (error) => refusalText(t, error, 'profile.book', 'profile'),
  })
  const place = useAddressForm(form, { vendorId: null, audience: 'customer' })

  return (
    <Sheet
      title={t(saved ? 'profile.book.change' : 'profile.book.new')}
      closeLabel={t('profile.book.close')}
      onClose={onClose}
      head={null}
    >
      <form {...form.props} className="grid gap-4 pt-4">
        <TextField
          {...form.text('label')}
          id="checkout-label"
          label={t('profile.book.label')}
          hint={t('profile.book.labelHint')}
          autoComplete="off"
          maxLength={LABEL_MOST}
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
        {form.failure && (
          <p role="alert" className="text-label text-clay">
            {form.failure}
          </p>
        )}
        <Button type="submit" tone="aqua" size="big" busy={form.busy}>
          {t(form.busy ? 'profile.saving' : 'profile.save')}
        </Button>
      </form>
    </Sheet>
  )
}
