import { unitPresets } from '@qatra/contract/product-fields'
import type { OfficeProduct } from '@qatra/contract/products-office'
import { formatSize, presetSizes, sizeKey } from '@qatra/contract/sizes'
import type { ReactNode } from 'react'
import { useLang, useT } from '../../app/i18n.tsx'
import { useNameIn } from '../../app/names.ts'
import { useUser } from '../../app/session.ts'
import { PictureNote } from '../../media/office/PictureNote.tsx'
import { Button } from '../../ui/Button.tsx'
import { TextArea, TextField } from '../../ui/Field.tsx'
import { Combobox } from '../../ui/office/Combobox.tsx'
import { FieldSet, Form } from '../../ui/office/Form.tsx'
import { MoneyField, NumberField, SwitchField } from '../../ui/office/fields.tsx'
import type { useForm } from '../../ui/office/use-form.ts'
import { useOfficeVendors } from './api.ts'
import { CardPreview } from './CardPreview.tsx'
import { PictureField } from './PictureField.tsx'
import { Presets } from './Presets.tsx'
import type { ProductValues } from './product-form.ts'

type ProductFormState = Pick<
  ReturnType<typeof useForm<ProductValues, never, unknown>>,
  'values' | 'errors' | 'set' | 'field' | 'text' | 'failure' | 'isDirty' | 'busy' | 'props'
>

interface ProductFormProps {
  form: ProductFormState
  label: string
  tools?: ReactNode
  /** The stored product; missing for a new one. */
  stored?: OfficeProduct
}

/** The form of a product, new or known, with the shop's card beside it. */
export function ProductForm({ form, label, tools, stored }: ProductFormProps) {
  const t = useT()
  const lang = useLang()
  const nameIn = useNameIn()
  const isSuper = useUser()?.role === 'super_admin'
  const vendors = useOfficeVendors()
  const { values, set } = form
  const tint = vendors.find(({ id }) => id === values.vendorId)?.tint ?? null
  return (
    <div className="grid gap-8 px-4 pb-10 md:px-6 desk:grid-cols-[minmax(0,44rem)_220px]">
      <Form form={form} label={label} className="gap-6">
        <FieldSet legend={t('officeProducts.facts')}>
          {isSuper && (
            <Combobox
              label={t('officeProducts.vendor')}
              {...form.field('vendorId')}
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
              label={t('officeProducts.nameAr')}
              dir="rtl"
              lang="ar"
              maxLength={200}
              autoComplete="off"
              required
              {...form.text('nameAr')}
            />
            <TextField
              label={t('officeProducts.name')}
              dir="auto"
              lang="en"
              maxLength={200}
              autoComplete="off"
              required
              {...form.text('name')}
            />
            <TextArea
              label={t('officeProducts.descriptionAr')}
              dir="rtl"
              lang="ar"
              maxLength={1000}
              {...form.text('descriptionAr')}
            />
            <TextArea
              label={t('officeProducts.description')}
              dir="auto"
              lang="en"
              maxLength={1000}
              {...form.text('description')}
            />
          </div>
        </FieldSet>
        <FieldSet legend={t('officeProducts.sale')}>
          <div className="grid gap-2">
            <TextField
              label={t('officeProducts.size')}
              hint={t('officeProducts.sizeHint')}
              maxLength={50}
              autoComplete="off"
              required
              {...form.text('size')}
            />
            <Presets
              label={t('officeProducts.sizes')}
              options={presetSizes.map((size) => ({
                key: size,
                label: formatSize(size, lang),
                isChosen: values.size !== '' && sizeKey(values.size) === sizeKey(size),
                onChoose: () => set({ size }),
              }))}
            />
          </div>
          <div className="grid items-start gap-4 md:grid-cols-2">
            <MoneyField
              label={t('officeProducts.price')}
              hint={t('officeProducts.priceHint')}
              {...form.field('price')}
            />
            <NumberField
              label={t('officeProducts.vatPercentage')}
              hint={t('officeProducts.vatHint')}
              inputMode="decimal"
              {...form.field('vatPercentage')}
            />
          </div>
          <div className="grid gap-2">
            <div className="grid items-start gap-4 md:grid-cols-3">
              <TextField
                label={t('officeProducts.inventoryUnitAr')}
                dir="rtl"
                lang="ar"
                maxLength={50}
                autoComplete="off"
                {...form.text('inventoryUnitAr')}
              />
              <TextField
                label={t('officeProducts.inventoryUnit')}
                dir="auto"
                lang="en"
                maxLength={50}
                autoComplete="off"
                {...form.text('inventoryUnit')}
              />
              <NumberField label={t('officeProducts.unitsPerInventoryUnit')} {...form.field('unitsPerInventoryUnit')} />
            </div>
            <Presets
              label={t('officeProducts.units')}
              options={unitPresets.map(({ en, ar }) => ({
                key: en,
                label: lang === 'ar' ? ar : en,
                isChosen: values.inventoryUnit === en,
                onChoose: () => set({ inventoryUnit: en, inventoryUnitAr: ar }),
              }))}
            />
          </div>
          <SwitchField
            label={t('officeProducts.isActive')}
            hint={t('officeProducts.isActiveHint')}
            {...form.field('isActive')}
          />
        </FieldSet>
        <FieldSet legend={t('officeProducts.picture')}>
          <PictureField
            value={values.imageUrl}
            error={form.errors.imageUrl}
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
            {t('office.save')}
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
