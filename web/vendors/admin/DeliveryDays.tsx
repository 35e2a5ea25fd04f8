import { slotOf, slotWords } from '@qatra/contract/calendar/slot'
import { type ManagedVendor, updateVendor } from '@qatra/contract/vendors/admin'
import { useQueryClient } from '@tanstack/react-query'
import { refreshVendors } from '../../catalogue/admin/refresh-vendors.ts'
import { call } from '../../lib/api-client.ts'
import { useLang, useT } from '../../lib/language/i18n.tsx'
import { Form } from '../../ui/admin/form/Form.tsx'
import { useForm } from '../../ui/admin/form/use-form.ts'
import { Segmented } from '../../ui/admin/Segmented.tsx'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { toast } from '../../ui/Toast.tsx'
import { CutOffMeaning } from './VendorPreview.tsx'

/** Cut-off time after which orders arrive a day later, with the text that customers see. */
export function DeliveryDays({ vendor, onSaved }: { vendor: ManagedVendor; onSaved?: () => Promise<unknown> }) {
  const t = useT()
  const lang = useLang()
  const queries = useQueryClient()
  const form = useForm({
    body: updateVendor.body,
    start: { hasCutOff: (vendor.cutOff === null ? 'no' : 'yes') as 'no' | 'yes', cutOff: vendor.cutOff ?? '18:00' },
    toBody: ({ hasCutOff, cutOff }) => ({ cutOff: hasCutOff === 'yes' ? cutOff : null, version: vendor.version }),
    send: (body) => call(updateVendor, { params: { id: String(vendor.id) }, body }),
    onSaved: () => {
      toast({ title: t('admin.vendors.saved') })
      void refreshVendors(queries)
      void onSaved?.()
    },
  })
  const { hasCutOff, cutOff } = form.values
  return (
    <section className="grid max-w-180 gap-4" aria-labelledby="delivery-days">
      <div>
        <h2 id="delivery-days" className="text-heading">
          {t('admin.vendors.days')}
        </h2>
        <p className="text-ink-2">{t('admin.vendors.orderNow', { day: slotWords(slotOf(vendor), lang, 'long') })}</p>
      </div>
      <Form form={form} label={t('admin.vendors.days')}>
        <div className="flex flex-wrap items-end gap-x-4 gap-y-2">
          <Segmented
            label={t('admin.vendors.cutOff')}
            value={hasCutOff}
            options={(['no', 'yes'] as const).map((value) => ({ value, label: t(`admin.vendors.cutOff.${value}`) }))}
            onChange={(value) => form.set({ hasCutOff: value })}
          />
          {hasCutOff === 'yes' && (
            <Field label={t('admin.vendors.cutOff')} error={form.errors.cutOff} className="w-36">
              {(described) => (
                <input
                  {...described}
                  type="time"
                  name="cutOff"
                  className="h-11 rounded-m bg-surface px-3.5 inset-ring inset-ring-line-strong"
                  value={cutOff}
                  onChange={({ target }) => form.set({ cutOff: target.value })}
                />
              )}
            </Field>
          )}
          <div>
            <Button
              type="submit"
              tone="gulf"
              busy={form.busy}
              reason={form.isDirty || !vendor.daysChosen ? null : t('admin.vendors.cutOff.same')}
              reasonShown
            >
              {t('admin.save')}
            </Button>
          </div>
        </div>
        <CutOffMeaning cutOff={hasCutOff === 'yes' ? cutOff : null} />
      </Form>
    </section>
  )
}
