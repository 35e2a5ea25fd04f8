import { bottleTerms } from '@qatra/contract/bottles'
import { formatMoney, fromBhd } from '@qatra/contract/lib/money'
import { useQuery } from '@tanstack/react-query'
import { useNameIn } from '../../app/names.ts'
import { bottleTypesQuery } from '../../catalogue/admin/refresh-vendors.ts'
import { useLang, useT } from '../../lib/language/i18n.tsx'
import { FieldSet } from '../../ui/admin/form/Form.tsx'
import { NumberField, SelectField } from '../../ui/admin/form/fields.tsx'
import { TextField } from '../../ui/Field.tsx'
import { bottleKey, type ProductFormState } from './product-form.ts'

/** The bottle and what becomes of it; for a vendor that exchanges bottles, and while the product has one. */
export function BottleField({ form }: { form: ProductFormState }) {
  const t = useT()
  const lang = useLang()
  const nameIn = useNameIn()
  const { vendorId, bottle } = form.values
  const { data: types = [] } = useQuery({ ...bottleTypesQuery(vendorId ?? 0), enabled: vendorId !== null })
  const options = types.flatMap((type) =>
    bottleTerms
      .map((terms) => ({ terms, value: bottleKey({ typeId: type.id, terms }) }))
      .filter(({ value }) => type.isOffered || value === bottle)
      .map(({ terms, value }) => ({
        value,
        label: t(`adminProducts.bottle.${terms}`, {
          name: nameIn(type),
          deposit: formatMoney(fromBhd(type.deposit), lang),
        }),
      })),
  )
  if (options.length === 0) return null
  return (
    <SelectField
      label={t('adminProducts.bottle')}
      hint={t(bottle.startsWith('exchange') ? 'adminProducts.bottle.exchange.hint' : 'adminProducts.bottle.hint')}
      placeholder={t('adminProducts.bottle.none')}
      error={form.errors.bottle}
      name="bottle"
      value={bottle || null}
      options={options}
      onChange={(value) => form.set({ bottle: value ?? '' })}
    />
  )
}

/** Facts of the water, all optional; the shop shows those that are filled in. */
export function WaterFields({ form }: { form: ProductFormState }) {
  const t = useT()
  const line = { maxLength: 100, autoComplete: 'off' } as const
  return (
    <FieldSet legend={t('adminProducts.water')}>
      <div className="grid items-start gap-4 md:grid-cols-2">
        <TextField label={t('adminProducts.sourceAr')} dir="rtl" lang="ar" {...line} {...form.text('sourceAr')} />
        <TextField label={t('adminProducts.source')} dir="auto" lang="en" {...line} {...form.text('source')} />
      </div>
      <div className="grid items-start gap-4 md:grid-cols-3">
        <NumberField label={t('adminProducts.tds')} {...form.field('tds')} />
        <NumberField label={t('adminProducts.sodium')} inputMode="decimal" {...form.field('sodium')} />
        <NumberField label={t('adminProducts.ph')} inputMode="decimal" {...form.field('ph')} />
        <TextField label={t('adminProducts.filledOn')} type="date" {...form.text('filledOn')} />
        <NumberField
          label={t('adminProducts.filledWithinDays')}
          hint={t('adminProducts.filledHint')}
          {...form.field('filledWithinDays')}
        />
      </div>
    </FieldSet>
  )
}
