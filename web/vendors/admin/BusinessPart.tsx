import { isOfAccount, type PaymentMeans, paymentMeans } from '@qatra/contract/orders/payments'
import { listBottleTypes } from '@qatra/contract/products/bottle-types'
import { type Business, bottleDifferences, getBusiness, saveBusiness } from '@qatra/contract/vendors/business'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { call, read } from '../../lib/api-client.ts'
import { useT } from '../../lib/language/i18n.tsx'
import { refusalText } from '../../lib/refusal.ts'
import { useAction } from '../../lib/use-action.ts'
import { FieldSet, Form } from '../../ui/admin/form/Form.tsx'
import { CheckboxField, MoneyField, SelectField } from '../../ui/admin/form/fields.tsx'
import { useForm } from '../../ui/admin/form/use-form.ts'
import { Button } from '../../ui/Button.tsx'
import { toast } from '../../ui/Toast.tsx'
import { BottleTypes } from './BottleTypes.tsx'

export const businessQuery = (vendorId: number) => read(getBusiness, { params: { id: String(vendorId) } })

type Change = Pick<
  Business,
  'means' | 'limits' | 'processing' | 'bottles' | 'bottleDifference' | 'refundChoice' | 'version'
>

/** Roles that can refund today; the limits of others stay as they are stored. */
const refunding = ['vendor_admin', 'vendor_staff'] as const
const switches = ['processing', 'bottles', 'bottleDifference', 'refundChoice'] as const

interface BusinessFormProps {
  business: Business
  save(change: Change): Promise<Business>
  onSaved(saved: Business): void
}

/** How a vendor does business; saved with undo. */
export function BusinessPart({ vendorId }: { vendorId: number }) {
  const t = useT()
  const queries = useQueryClient()
  const query = businessQuery(vendorId)
  const { data: business } = useQuery(query)
  const { busy, problem, run } = useAction((error) => refusalText(t, error, 'admin.form'))
  if (!business) return null
  const save = (body: Change) => call(saveBusiness, { params: { id: String(vendorId) }, body })
  const { means, limits, processing, bottles, bottleDifference, refundChoice } = business
  const keep = (saved: Business) => {
    queries.setQueryData(query.queryKey, saved)
    // Whether products can have a type follows from the switch.
    void queries.invalidateQueries({ queryKey: [listBottleTypes.path] })
  }
  const undo = (version: number) =>
    run(async () => {
      keep(await save({ means, limits, processing, bottles, bottleDifference, refundChoice, version }))
      toast({ title: t('admin.vendors.business.undone') })
    })
  const onSaved = (saved: Business) => {
    toast({
      title: t('admin.vendors.business.saved'),
      action: { label: t('admin.vendors.undo'), onClick: () => void undo(saved.version) },
      duration: 8000,
    })
    keep(saved)
  }
  return (
    <div className="w-full max-w-150 px-4 py-5 md:px-6" aria-busy={busy || undefined}>
      {problem && (
        <p role="alert" className="mb-4 rounded-m bg-clay-soft px-3.5 py-2.5 text-clay">
          {problem}
        </p>
      )}
      <BusinessForm key={business.version} business={business} save={save} onSaved={onSaved} />
      {business.bottles && <BottleTypes vendorId={vendorId} />}
    </div>
  )
}

function BusinessForm({ business, save, onSaved }: BusinessFormProps) {
  const t = useT()
  const form = useForm({
    body: saveBusiness.body,
    start: {
      means: business.means,
      processing: business.processing,
      bottles: business.bottles,
      bottleDifference: business.bottleDifference,
      refundChoice: business.refundChoice,
      vendor_admin: business.limits.vendor_admin ?? null,
      vendor_staff: business.limits.vendor_staff ?? null,
    },
    toBody({ vendor_admin, vendor_staff, bottleDifference, ...facts }) {
      const typed = { vendor_admin, vendor_staff }
      const limits = { ...business.limits }
      for (const role of refunding) {
        const limit = typed[role]
        if (limit === null) delete limits[role]
        else limits[role] = limit
      }
      return {
        ...facts,
        limits,
        bottleDifference: bottleDifference ?? business.bottleDifference,
        version: business.version,
      }
    },
    fieldAt: ([first, role]) =>
      (first === 'limits' && refunding.find((one) => one === role)) || switches.find((one) => one === first) || 'means',
    send: save,
    onSaved,
  })
  const { means } = form.values
  const offered = paymentMeans.filter((one) => business.accounts || !isOfAccount(one) || business.means.includes(one))
  const choose = (one: PaymentMeans, isTaken: boolean) =>
    form.set({ means: paymentMeans.filter((each) => (each === one ? isTaken : means.includes(each))) })
  return (
    <Form form={form} label={t('admin.vendors.tab.business')}>
      <FieldSet legend={t('admin.vendors.means')} hint={t('admin.vendors.means.hint')}>
        <div className="grid gap-x-4 sm:grid-cols-2">
          {offered.map((one) => (
            <CheckboxField
              key={one}
              label={t(`admin.means.${one}`)}
              name={one}
              value={means.includes(one)}
              onChange={(isTaken) => choose(one, isTaken)}
            />
          ))}
        </div>
        {form.errors.means && <p className="text-clay">{form.errors.means}</p>}
      </FieldSet>
      <FieldSet legend={t('admin.vendors.steps')}>
        <CheckboxField
          label={t('admin.vendors.processing')}
          hint={t(form.values.processing ? 'admin.vendors.processing.on' : 'admin.vendors.processing.off')}
          {...form.field('processing')}
        />
      </FieldSet>
      <FieldSet legend={t('admin.vendors.bottles')}>
        <CheckboxField
          label={t('admin.vendors.bottles.exchange')}
          hint={
            form.values.bottles ? (
              <>
                {(['customers', 'drivers', 'office'] as const).map((who) => (
                  <span key={who} className="block">
                    {t(`admin.vendors.bottles.${who}`)}
                  </span>
                ))}
              </>
            ) : (
              t('admin.vendors.bottles.off')
            )
          }
          {...form.field('bottles')}
        />
        {form.values.bottles && (
          <>
            <SelectField
              label={t('admin.vendors.bottles.difference')}
              hint={t(`admin.vendors.bottles.difference.${form.values.bottleDifference ?? 'at-once'}.hint`)}
              options={bottleDifferences.map((value) => ({
                value,
                label: t(`admin.vendors.bottles.difference.${value}`),
              }))}
              {...form.field('bottleDifference')}
            />
            <CheckboxField
              label={t('admin.vendors.bottles.refundChoice')}
              hint={t(`admin.vendors.bottles.refundChoice.${form.values.refundChoice ? 'on' : 'off'}`)}
              {...form.field('refundChoice')}
            />
          </>
        )}
      </FieldSet>
      <FieldSet legend={t('admin.vendors.limits')} hint={t('admin.vendors.limits.hint')}>
        <div className="grid gap-4 sm:grid-cols-2">
          {refunding.map((role) => (
            <MoneyField key={role} label={t(`admin.role.${role}`)} {...form.field(role)} />
          ))}
        </div>
      </FieldSet>
      <div className="foot-bar -mx-1 bg-page px-1 py-3 max-md:static">
        <Button
          type="submit"
          tone="aqua"
          busy={form.busy}
          reason={form.isDirty ? null : t('admin.vendors.cutOff.same')}
          reasonShown
        >
          {t('admin.save')}
        </Button>
      </div>
    </Form>
  )
}
