import {
  type BottleType,
  createBottleType,
  listBottleTypes,
  updateBottleType,
} from '@qatra/contract/products/bottle-types'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNameIn } from '../../app/names.ts'
import { bottleTypesQuery } from '../../catalogue/admin/refresh-vendors.ts'
import { call } from '../../lib/api-client.ts'
import { useT } from '../../lib/language/i18n.tsx'
import { Form } from '../../ui/admin/form/Form.tsx'
import { CheckboxField, MoneyField } from '../../ui/admin/form/fields.tsx'
import { useForm } from '../../ui/admin/form/use-form.ts'
import { ToolbarButton } from '../../ui/admin/ToolbarButton.tsx'
import { Money } from '../../ui/Bidi.tsx'
import { Button } from '../../ui/Button.tsx'
import { TextField } from '../../ui/Field.tsx'
import { EditIcon, PlusIcon } from '../../ui/icons.tsx'
import { toast } from '../../ui/Toast.tsx'

/** The bottles that a vendor lends for a deposit: added, changed, and taken out of use. */
export function BottleTypes({ vendorId }: { vendorId: number }) {
  const t = useT()
  const nameIn = useNameIn()
  const { data: types } = useQuery(bottleTypesQuery(vendorId))
  const [edited, setEdited] = useState<number | 'new' | null>(null)
  if (!types) return null
  const close = () => setEdited(null)
  return (
    <section aria-labelledby="bottle-types" className="mt-6 grid gap-3 border-t border-line pt-4">
      <h2 id="bottle-types" className="text-heading">
        {t('admin.vendors.bottleTypes')}
      </h2>
      {types.length === 0 && <p className="text-ink-2">{t('admin.vendors.bottleTypes.empty')}</p>}
      <ul className="grid">
        {types.map((type) =>
          edited === type.id ? (
            <li key={type.id} className="border-b border-line py-3">
              <TypeForm type={type} vendorId={vendorId} onDone={close} />
            </li>
          ) : (
            <li key={type.id} className="flex items-center gap-3 border-b border-line py-2">
              <span className="min-w-0 flex-1">
                <bdi className="font-strong wrap-anywhere">{nameIn(type)}</bdi>
                {!type.isActive && <span className="text-ink-3"> · {t('admin.vendors.bottleTypes.off')}</span>}
                <span className="block text-ink-2">
                  <Money bhd={type.deposit} /> · {t('admin.vendors.bottleTypes.products', { count: type.productCount })}
                </span>
              </span>
              <ToolbarButton
                icon={EditIcon}
                aria-label={t('admin.vendors.bottleTypes.edit', { name: nameIn(type) })}
                onClick={() => setEdited(type.id)}
              >
                {t('admin.vendors.bottleTypes.change')}
              </ToolbarButton>
            </li>
          ),
        )}
      </ul>
      {edited === 'new' ? (
        <TypeForm type={null} vendorId={vendorId} onDone={close} />
      ) : (
        <div>
          <Button size="small" icon={PlusIcon} onClick={() => setEdited('new')}>
            {t('admin.vendors.bottleTypes.add')}
          </Button>
        </div>
      )}
    </section>
  )
}

interface TypeFormProps {
  type: BottleType | null
  vendorId: number
  onDone(): void
}

function TypeForm({ type, vendorId, onDone }: TypeFormProps) {
  const t = useT()
  const queries = useQueryClient()
  const form = useForm({
    body: updateBottleType.body,
    requires: ['name'],
    start: {
      name: type?.name ?? '',
      nameAr: type?.nameAr ?? '',
      deposit: type?.deposit ?? null,
      isActive: type?.isActive ?? true,
    },
    // An empty amount is reported by its field.
    toBody: (values) => ({ ...values, deposit: values.deposit ?? Number.NaN, ...(type && { version: type.version }) }),
    send: (body) =>
      type
        ? call(updateBottleType, { params: { id: String(type.id) }, body })
        : call(createBottleType, { body: { ...body, name: body.name, deposit: body.deposit, vendorId } }),
    onSaved: async () => {
      await queries.invalidateQueries({ queryKey: [listBottleTypes.path] })
      toast({ title: t('admin.vendors.business.saved') })
      onDone()
    },
  })
  return (
    <Form form={form} label={t('admin.vendors.bottleTypes')}>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <TextField
          label={t('admin.vendors.nameAr')}
          dir="rtl"
          lang="ar"
          maxLength={60}
          autoComplete="off"
          {...form.text('nameAr')}
        />
        <TextField
          label={t('admin.vendors.name')}
          dir="auto"
          lang="en"
          maxLength={60}
          autoComplete="off"
          required
          {...form.text('name')}
        />
        <MoneyField
          label={t('admin.vendors.bottleTypes.deposit')}
          hint={t('admin.vendors.bottleTypes.deposit.hint')}
          {...form.field('deposit')}
        />
      </div>
      <CheckboxField
        label={t('admin.vendors.bottleTypes.isActive')}
        hint={t(form.values.isActive ? 'admin.vendors.bottleTypes.active.on' : 'admin.vendors.bottleTypes.active.off')}
        {...form.field('isActive')}
      />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" size="small" tone="gulf" busy={form.busy}>
          {t('admin.save')}
        </Button>
        <Button size="small" onClick={onDone}>
          {t('admin.cancel')}
        </Button>
      </div>
    </Form>
  )
}
