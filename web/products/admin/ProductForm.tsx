import { isWholeFils } from '@qatra/contract/lib/money'
import { type AdminProduct, PICTURE_BYTES, uploadPicture } from '@qatra/contract/products/admin'
import { unitPresets } from '@qatra/contract/products/fields'
import { formatSize, presetSizes, sizeKey } from '@qatra/contract/products/sizes'
import type { ReactNode } from 'react'
import { useInLang, useNameIn } from '../../app/names.ts'
import { useUnitText } from '../../catalogue/unit.ts'
import { useUser } from '../../lib/current-user.ts'
import { useLang, useT } from '../../lib/language/i18n.tsx'
import { sendFile } from '../../lib/send-file.ts'
import { PictureNote } from '../../media/admin/PictureNote.tsx'
import { Combobox } from '../../ui/admin/form/Combobox.tsx'
import { FileField } from '../../ui/admin/form/FileField.tsx'
import { FieldSet, Form } from '../../ui/admin/form/Form.tsx'
import { MoneyField, NumberField, SwitchField } from '../../ui/admin/form/fields.tsx'
import { ToolbarButton } from '../../ui/admin/ToolbarButton.tsx'
import { Money, Size } from '../../ui/Bidi.tsx'
import { Button } from '../../ui/Button.tsx'
import { TextArea, TextField } from '../../ui/Field.tsx'
import { PlusIcon } from '../../ui/icons.tsx'
import { ProductWell, WellBadge } from '../../ui/ProductWell.tsx'
import { useAdminVendors } from './api.ts'
import { BottleField, WaterFields } from './ProductFormParts.tsx'
import type { ProductFormState, ProductValues } from './product-form.ts'

interface ProductFormProps {
  form: ProductFormState
  label: string
  tools?: ReactNode
  /** The stored product; missing for a new one. */
  stored?: AdminProduct
}

/** Form of a new or stored product, with a preview of its card. */
export function ProductForm({ form, label, tools, stored }: ProductFormProps) {
  const t = useT()
  const lang = useLang()
  const nameIn = useNameIn()
  const isSuper = useUser()?.role === 'super_admin'
  const vendors = useAdminVendors()
  const { values, set } = form
  const tint = vendors.find(({ id }) => id === values.vendorId)?.tint ?? null
  return (
    <div className="grid gap-8 px-4 pb-10 md:px-6 desk:grid-cols-[minmax(0,44rem)_220px]">
      <Form form={form} label={label} className="gap-6">
        <FieldSet legend={t('adminProducts.facts')}>
          {isSuper && (
            <Combobox
              label={t('admin.vendor')}
              {...form.field('vendorId')}
              onChange={(vendorId) => set({ vendorId, bottle: '' })}
              options={vendors.map((vendor) => ({
                value: vendor.id,
                label: nameIn(vendor),
                also: `${vendor.name} ${vendor.nameAr ?? ''}`,
              }))}
              required
            />
          )}
          <div className="grid items-start gap-4 md:grid-cols-2">
            <TextField
              label={t('adminProducts.nameAr')}
              dir="rtl"
              lang="ar"
              maxLength={200}
              autoComplete="off"
              required
              {...form.text('nameAr')}
            />
            <TextField
              label={t('adminProducts.name')}
              dir="auto"
              lang="en"
              maxLength={200}
              autoComplete="off"
              required
              {...form.text('name')}
            />
            <TextArea
              label={t('adminProducts.descriptionAr')}
              dir="rtl"
              lang="ar"
              maxLength={1000}
              {...form.text('descriptionAr')}
            />
            <TextArea
              label={t('adminProducts.description')}
              dir="auto"
              lang="en"
              maxLength={1000}
              {...form.text('description')}
            />
          </div>
        </FieldSet>
        <FieldSet legend={t('adminProducts.sale')}>
          <div className="grid gap-2">
            <TextField
              label={t('adminProducts.size')}
              hint={t('adminProducts.sizeHint')}
              maxLength={50}
              autoComplete="off"
              required
              {...form.text('size')}
            />
            <Presets
              label={t('adminProducts.sizes')}
              options={presetSizes.map((size) => ({
                key: size,
                label: formatSize(size, lang),
                isChosen: values.size !== '' && sizeKey(values.size) === sizeKey(size),
                onChoose: () => set({ size }),
              }))}
            />
          </div>
          <div className="grid items-start gap-4 md:grid-cols-2">
            <MoneyField label={t('adminProducts.price')} hint={t('adminProducts.priceHint')} {...form.field('price')} />
            <NumberField
              label={t('adminProducts.vatPercentage')}
              hint={t('adminProducts.vatHint')}
              inputMode="decimal"
              {...form.field('vatPercentage')}
            />
          </div>
          <div className="grid gap-2">
            <div className="grid items-start gap-4 md:grid-cols-3">
              <TextField
                label={t('adminProducts.inventoryUnitAr')}
                dir="rtl"
                lang="ar"
                maxLength={50}
                autoComplete="off"
                {...form.text('inventoryUnitAr')}
              />
              <TextField
                label={t('adminProducts.inventoryUnit')}
                dir="auto"
                lang="en"
                maxLength={50}
                autoComplete="off"
                {...form.text('inventoryUnit')}
              />
              <NumberField label={t('adminProducts.unitsPerInventoryUnit')} {...form.field('unitsPerInventoryUnit')} />
            </div>
            <Presets
              label={t('adminProducts.units')}
              options={unitPresets.map(({ en, ar }) => ({
                key: en,
                label: lang === 'ar' ? ar : en,
                isChosen: values.inventoryUnit === en,
                onChoose: () => set({ inventoryUnit: en, inventoryUnitAr: ar }),
              }))}
            />
          </div>
          <BottleField form={form} />
          <SwitchField
            label={t('adminProducts.isActive')}
            hint={t('adminProducts.isActiveHint')}
            {...form.field('isActive')}
          />
        </FieldSet>
        <WaterFields form={form} />
        <FieldSet legend={t('adminProducts.picture')}>
          <FileField
            label={t('adminProducts.imageUrl')}
            hint={t('adminProducts.imageUrlHint')}
            error={form.errors.imageUrl}
            name="imageUrl"
            maxLength={500}
            value={values.imageUrl}
            fileLabel={t('adminProducts.pictureFile')}
            fileHint={t('adminProducts.pictureHint')}
            accept="image/jpeg,image/png,image/webp,image/gif,image/avif"
            megabytes={PICTURE_BYTES / 1_000_000}
            send={(sending) => sendFile(uploadPicture, { ...sending, field: 'picture' })}
            removeLabel={t('adminProducts.pictureRemove')}
            note={
              stored?.imageUrl && stored.imageUrl === values.imageUrl ? (
                <PictureNote key={stored.imageUrl} url={stored.imageUrl} state={stored.picture} />
              ) : null
            }
            onChange={(imageUrl) => set({ imageUrl })}
          />
        </FieldSet>
        <div className="foot-bar -mx-4 flex flex-wrap items-center gap-2 border-t border-line bg-page px-4 py-3">
          <Button type="submit" tone="aqua" busy={form.busy} className="min-w-36">
            {t('admin.save')}
          </Button>
          {tools}
        </div>
      </Form>
      <div className="desk:sticky desk:top-6 desk:self-start">
        <CardPreview values={values} tint={tint} />
      </div>
    </div>
  )
}

/** The shop's product card with the current values of the form. */
export function CardPreview({ values, tint }: { values: ProductValues; tint: string | null }) {
  const t = useT()
  const inLang = useInLang()
  const unitText = useUnitText()
  const { size, price } = values
  const hasPrice = price !== null && price > 0 && price <= 10_000 && isWholeFils(price)
  const unit = unitText({
    inventoryUnit: values.inventoryUnit || null,
    inventoryUnitAr: values.inventoryUnitAr || null,
    unitsPerInventoryUnit: values.unitsPerInventoryUnit ?? 1,
  })
  return (
    <section aria-label={t('adminProducts.preview')} className="mx-auto w-full max-w-55">
      <p className="mb-2 text-caption text-ink-3">{t('adminProducts.preview')}</p>
      <ProductWell size={size || '500ml'} imageUrl={values.imageUrl || null} tint={tint}>
        {size !== '' && (
          <WellBadge>
            <Size size={size} />
          </WellBadge>
        )}
      </ProductWell>
      <p dir="auto" className="mt-2.5 text-start text-body leading-normal font-strong wrap-anywhere">
        {inLang(values.name || null, values.nameAr || null) || (
          <span className="text-ink-3">{t('adminProducts.previewName')}</span>
        )}
      </p>
      <p className="min-h-6 text-label text-ink-3">{unit}</p>
      <p className="mt-0.5 mb-2 text-heading">
        {hasPrice ? <Money bhd={price} /> : <span className="text-ink-3">–</span>}
      </p>
      <span aria-hidden="true" className="flex h-11 items-center justify-end rounded-m bg-well">
        <span className="grid size-11 place-items-center rounded-m bg-aqua text-on-aqua">
          <PlusIcon size={20} />
        </span>
      </span>
    </section>
  )
}

interface PresetsProps {
  label: string
  options: readonly { key: string; label: string; isChosen: boolean; onChoose(): void }[]
}

/** Buttons that fill the field above with a common value. */
function Presets({ label, options }: PresetsProps) {
  return (
    <fieldset aria-label={label} className="-mt-1 flex flex-wrap gap-1.5">
      {options.map(({ key, label: words, isChosen, onChoose }) => (
        <ToolbarButton key={key} chosen={isChosen} aria-pressed={isChosen} onClick={onChoose}>
          <bdi>{words}</bdi>
        </ToolbarButton>
      ))}
    </fieldset>
  )
}
