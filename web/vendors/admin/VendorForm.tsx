import { createVendor, type ManagedVendor, updateVendor } from '@qatra/contract/vendors/admin'
import { useQueryClient } from '@tanstack/react-query'
import { refreshVendors } from '../../catalogue/admin/refresh-vendors.ts'
import { call } from '../../lib/api-client.ts'
import { useT } from '../../lib/language/i18n.tsx'
import { PictureNote } from '../../media/admin/PictureNote.tsx'
import { FieldSet, Form } from '../../ui/admin/form/Form.tsx'
import { MoneyField, NumberField } from '../../ui/admin/form/fields.tsx'
import { useForm } from '../../ui/admin/form/use-form.ts'
import { Button } from '../../ui/Button.tsx'
import { TextArea, TextField } from '../../ui/Field.tsx'
import { toast } from '../../ui/Toast.tsx'
import { EmblemField, TintField } from './LookFields.tsx'
import { VendorPreview } from './VendorPreview.tsx'

const blank = {
  name: '',
  nameAr: '',
  description: '',
  descriptionAr: '',
  logoUrl: '',
  contactNumber: '',
  whatsappLink: '',
  tint: null as string | null,
  emblem: null as string | null,
  deliveryFee: 1 as number | null,
  minDeliveryAmount: 5 as number | null,
  customPriceFloor: null as number | null,
  companyName: '',
  companyNameAr: '',
  companyAddress: '',
  companyAddressAr: '',
  crNumber: '',
  vatNumber: '',
}
type Values = typeof blank

function valuesOf(vendor: ManagedVendor): Values {
  const texts = Object.fromEntries(
    Object.entries(blank).map(([key, none]) => [key, vendor[key as keyof Values] ?? (none === '' ? '' : null)]),
  )
  return { ...blank, ...texts } as Values // the same keys, filled
}

const orNull = (text: string) => (text.trim() === '' ? null : text)
const optional = [
  'nameAr',
  'description',
  'descriptionAr',
  'logoUrl',
  'whatsappLink',
  'companyName',
  'companyNameAr',
  'companyAddress',
  'companyAddressAr',
  'crNumber',
  'vatNumber',
] as const

/** The request body; the schema rejects a fee that is no number. */
const bodyOf = (values: Values) => ({
  ...values,
  ...(Object.fromEntries(optional.map((key) => [key, orNull(values[key])])) as Record<
    (typeof optional)[number],
    string | null
  >),
  deliveryFee: values.deliveryFee ?? Number.NaN,
  minDeliveryAmount: values.minDeliveryAmount ?? Number.NaN,
})

interface VendorFormProps {
  /** Null for a new vendor. */
  vendor: ManagedVendor | null
  onSaved(vendor: ManagedVendor): void
}

/** Form of a vendor, with a preview of its section in the shop. */
export function VendorForm({ vendor, onSaved }: VendorFormProps) {
  const t = useT()
  const queries = useQueryClient()
  const form = useForm({
    body: vendor ? updateVendor.body : createVendor.body,
    requires: ['nameAr'],
    start: vendor ? valuesOf(vendor) : blank,
    toBody: (values) => {
      const body = bodyOf(values)
      // Without a link the server derives one from the contact number.
      if (!vendor) return { ...body, whatsappLink: body.whatsappLink ?? undefined }
      const { vatNumber, ...others } = body
      // Older rows can have another text; it stays until somebody changes it.
      const isVatKept = vatNumber === vendor.vatNumber
      return { ...others, ...(isVatKept ? {} : { vatNumber }), version: vendor.version }
    },
    send: (body) =>
      vendor ? call(updateVendor, { params: { id: String(vendor.id) }, body }) : call(createVendor, { body }),
    onSaved: (saved) => {
      toast({ title: t(vendor ? 'admin.vendors.saved' : 'admin.vendors.created') })
      void refreshVendors(queries)
      onSaved(saved)
    },
  })
  const { values } = form
  return (
    <Form form={form} label={t('admin.vendors.form')}>
      <VendorPreview vendor={values} />
      <FieldSet legend={t('admin.vendors.part.names')}>
        <TextField
          label={t('admin.vendors.nameAr')}
          {...form.text('nameAr')}
          dir="rtl"
          lang="ar"
          maxLength={100}
          required
        />
        <TextField label={t('admin.vendors.name')} {...form.text('name')} dir="ltr" maxLength={100} required />
        <TextArea
          label={t('admin.vendors.descriptionAr')}
          {...form.text('descriptionAr')}
          dir="rtl"
          lang="ar"
          rows={2}
        />
        <TextArea label={t('admin.vendors.description')} {...form.text('description')} dir="ltr" rows={2} />
      </FieldSet>
      <FieldSet legend={t('admin.vendors.part.delivery')}>
        <div className="grid grid-cols-2 gap-3">
          <MoneyField label={t('admin.vendors.fee')} {...form.field('deliveryFee')} />
          <MoneyField label={t('admin.vendors.minimum')} {...form.field('minDeliveryAmount')} />
        </div>
        <NumberField
          label={t('admin.vendors.priceFloor')}
          hint={t('admin.vendors.priceFloor.hint')}
          unit="%"
          {...form.field('customPriceFloor')}
        />
      </FieldSet>
      <FieldSet legend={t('admin.vendors.part.contact')}>
        <TextField label={t('admin.vendors.phone')} {...form.text('contactNumber')} ltr inputMode="tel" />
        <TextField
          label={t('admin.vendors.whatsapp')}
          hint={t('admin.vendors.whatsapp.hint')}
          {...form.text('whatsappLink')}
          ltr
        />
      </FieldSet>
      <FieldSet legend={t('admin.vendors.part.look')}>
        <EmblemField {...form.field('emblem')} tint={values.tint} name={values.name} />
        <TintField {...form.field('tint')} />
        <TextField label={t('admin.vendors.logo')} hint={t('admin.vendors.logo.hint')} {...form.text('logoUrl')} ltr />
        {vendor?.logoUrl && vendor.logoUrl === values.logoUrl && (
          <PictureNote key={vendor.logoUrl} url={vendor.logoUrl} state={vendor.logo} />
        )}
      </FieldSet>
      <FieldSet legend={t('admin.vendors.part.company')} hint={t('admin.vendors.part.company.hint')}>
        <TextField label={t('admin.vendors.companyNameAr')} {...form.text('companyNameAr')} dir="rtl" lang="ar" />
        <TextField label={t('admin.vendors.companyName')} {...form.text('companyName')} dir="ltr" />
        <TextArea
          label={t('admin.vendors.companyAddressAr')}
          {...form.text('companyAddressAr')}
          dir="rtl"
          lang="ar"
          rows={2}
        />
        <TextArea label={t('admin.vendors.companyAddress')} {...form.text('companyAddress')} dir="ltr" rows={2} />
        <div className="grid grid-cols-2 items-start gap-3">
          <TextField label={t('admin.vendors.crNumber')} {...form.text('crNumber')} ltr />
          <TextField
            label={t('admin.vendors.vatNumber')}
            hint={t('admin.vendors.vatNumber.hint')}
            {...form.text('vatNumber')}
            ltr
          />
        </div>
      </FieldSet>
      <div className="foot-bar -mx-1 bg-page px-1 py-3 max-md:static">
        <Button type="submit" tone="aqua" size="big" busy={form.busy}>
          {t(vendor ? 'admin.save' : 'admin.vendors.create')}
        </Button>
      </div>
    </Form>
  )
}
