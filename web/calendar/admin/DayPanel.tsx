import { type ClosedDay, closeDay } from '@qatra/contract/calendar/admin'
import { formatDay, weekdayOf } from '@qatra/contract/calendar/calendar'
import type { Input } from '@qatra/contract/endpoint'
import type { DayLoad } from '@qatra/contract/orders/delivery'
import type { ManagedVendor } from '@qatra/contract/vendors/admin'
import { listVendors } from '@qatra/contract/vendors/vendors'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useNameIn } from '../../app/names.ts'
import { read } from '../../lib/api-client.ts'
import { useLang, useT } from '../../lib/language/i18n.tsx'
import { refusalText } from '../../lib/refusal.ts'
import { Form } from '../../ui/admin/form/Form.tsx'
import { CheckboxField, SelectField } from '../../ui/admin/form/fields.tsx'
import { useForm } from '../../ui/admin/form/use-form.ts'
import { ToolbarButton } from '../../ui/admin/ToolbarButton.tsx'
import { Button } from '../../ui/Button.tsx'
import { TextField } from '../../ui/Field.tsx'
import { BinIcon } from '../../ui/icons.tsx'
import { useClosedName } from './MonthGrid.tsx'

interface DayPanelProps {
  day: string | null
  today: string
  closed: readonly ClosedDay[]
  /** Null without orders; undefined if not known. */
  load?: DayLoad | null | undefined
  /** The vendor to close; null if it is chosen in the panel. */
  vendor: ManagedVendor | null
  isMarket: boolean
  problem: string | null
  /** Rejects with a CallError. */
  onClose(body: Input<typeof closeDay>['body']): Promise<void>
  onOpen(day: ClosedDay): Promise<void>
}

/** One day: its closures, and the action that closes or opens it. */
export function DayPanel({ day, today, closed, load, vendor, isMarket, problem, onClose, onOpen }: DayPanelProps) {
  const t = useT()
  const lang = useLang()
  const nameOf = useClosedName()
  if (!day) {
    return <p className="rounded-l bg-well p-4 text-ink-2">{t('admin.calendar.choose')}</p>
  }
  const isFriday = weekdayOf(day) === 5
  const isTaken = closed.some(({ vendorId }) => vendorId === null || (vendor && vendorId === vendor.id))
  return (
    <section aria-label={formatDay(day, lang, 'long')} className="grid gap-4 rounded-l p-4 inset-ring inset-ring-line">
      <div>
        <h3 className="text-heading">{formatDay(day, lang, 'long')}</h3>
        <p className="text-ink-2">
          {isFriday ? t('admin.calendar.fridayText') : closed.length === 0 ? t('admin.calendar.openText') : null}
        </p>
        {load && (
          <Link to="/admin/orders" search={{ day }} className="text-aqua-ink underline underline-offset-3">
            {t('admin.calendar.load', { orders: load.orders, units: load.units })}
          </Link>
        )}
        {load === null && <p className="text-ink-2">{t('admin.calendar.noOrders')}</p>}
      </div>
      {closed.length > 0 && (
        <ul className="grid gap-2">
          {closed.map((one) => (
            <li key={one.id} className="flex items-center justify-between gap-3">
              <span dir="auto" className="min-w-0 text-start">
                {nameOf(one)}
              </span>
              {one.can.remove && (
                <ToolbarButton icon={BinIcon} onClick={() => void onOpen(one)}>
                  {t('admin.calendar.open')}
                </ToolbarButton>
              )}
            </li>
          ))}
        </ul>
      )}
      {problem && (
        <p role="alert" className="text-clay">
          {problem}
        </p>
      )}
      {day < today && <p className="text-ink-3">{t('admin.calendar.past')}</p>}
      {day >= today && !isTaken && <CloseForm day={day} vendor={vendor} isMarket={isMarket} onClose={onClose} />}
    </section>
  )
}

type CloseFormProps = Pick<DayPanelProps, 'vendor' | 'isMarket' | 'onClose'> & { day: string }

function CloseForm({ day, vendor, isMarket, onClose }: CloseFormProps) {
  const t = useT()
  const nameIn = useNameIn()
  const { data: vendors } = useQuery({ ...read(listVendors), enabled: isMarket && !vendor })
  const vendorOf = (whose: number | null) => vendor?.id ?? (isMarket ? whose || null : undefined)
  const form = useForm({
    body: closeDay.body,
    start: { name: '', nameAr: '', isEstimated: false, whose: 0 as number | null },
    toBody: ({ name, nameAr, isEstimated, whose }) => ({
      day,
      name: name || null,
      nameAr: nameAr || null,
      isEstimated,
      vendorId: vendorOf(whose),
    }),
    send: onClose,
    failureOf: (error) => (error.details.fields ? null : refusalText(t, error, 'admin.calendar')),
  })
  const isHoliday = vendorOf(form.values.whose) === null
  const { name, nameAr } = form.values
  return (
    <Form form={form} className="gap-3">
      {isMarket && !vendor && (
        <SelectField
          label={t('admin.calendar.for')}
          options={[
            { value: 0, label: t('admin.calendar.everybody') },
            ...(vendors ?? []).map((one) => ({ value: one.id, label: nameIn(one) })),
          ]}
          {...form.field('whose')}
        />
      )}
      <TextField label={t('admin.calendar.nameAr')} dir="rtl" lang="ar" maxLength={100} {...form.text('nameAr')} />
      <TextField label={t('admin.calendar.name')} dir="ltr" maxLength={100} {...form.text('name')} />
      {isHoliday && <CheckboxField label={t('admin.calendar.isEstimated')} {...form.field('isEstimated')} />}
      <Button
        type="submit"
        tone="aqua"
        busy={form.busy}
        reason={isHoliday && !(name && nameAr) ? t('admin.calendar.nameNeeded') : null}
      >
        {t(isHoliday ? 'admin.calendar.addHoliday' : 'admin.calendar.close')}
      </Button>
      <p className="text-ink-3">{t('admin.calendar.keeps')}</p>
    </Form>
  )
}
