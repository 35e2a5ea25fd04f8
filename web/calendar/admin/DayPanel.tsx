import { formatDay, weekdayOf } from '@qatra/contract/calendar'
import type { ClosedDay, closeDay } from '@qatra/contract/calendar-admin'
import type { Input } from '@qatra/contract/endpoint'
import { listVendors } from '@qatra/contract/vendors'
import type { ManagedVendor } from '@qatra/contract/vendors-admin'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { read } from '../../app/call.ts'
import { useLang, useT } from '../../app/i18n.tsx'
import { useNameIn } from '../../app/names.ts'
import { CheckboxField, SelectField } from '../../ui/admin/fields.tsx'
import { Tool } from '../../ui/admin/Tool.tsx'
import { Button } from '../../ui/Button.tsx'
import { TextField } from '../../ui/Field.tsx'
import { BinIcon } from '../../ui/icons.tsx'
import { useClosedName } from './MonthGrid.tsx'

interface DayPanelProps {
  day: string | null
  today: string
  closed: readonly ClosedDay[]
  /** The vendor to close; null if it is chosen in the panel. */
  vendor: ManagedVendor | null
  isMarket: boolean
  problem: string | null
  onClose(body: Input<typeof closeDay>['body']): Promise<void>
  onOpen(day: ClosedDay): Promise<void>
}

/** One day: its closures, and the action that closes or opens it. */
export function DayPanel({ day, today, closed, vendor, isMarket, problem, onClose, onOpen }: DayPanelProps) {
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
      </div>
      {closed.length > 0 && (
        <ul className="grid gap-2">
          {closed.map((one) => (
            <li key={one.id} className="flex items-center justify-between gap-3">
              <span dir="auto" className="min-w-0 text-start">
                {nameOf(one)}
              </span>
              {one.can.remove && (
                <Tool icon={BinIcon} onClick={() => void onOpen(one)}>
                  {t('admin.calendar.open')}
                </Tool>
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

function CloseForm({
  day,
  vendor,
  isMarket,
  onClose,
}: Pick<DayPanelProps, 'vendor' | 'isMarket' | 'onClose'> & { day: string }) {
  const t = useT()
  const nameIn = useNameIn()
  const [name, setName] = useState('')
  const [nameAr, setNameAr] = useState('')
  const [isEstimated, setEstimated] = useState(false)
  const [whose, setWhose] = useState<number>(0)
  const [busy, setBusy] = useState(false)
  const { data: vendors } = useQuery({ ...read(listVendors), enabled: isMarket && !vendor })
  const vendorId = vendor?.id ?? (isMarket ? whose || null : undefined)
  const isHoliday = vendorId === null

  async function submit(event: FormEvent) {
    event.preventDefault()
    setBusy(true)
    const names = { name: name || null, nameAr: nameAr || null }
    await onClose({ day, ...names, isEstimated, ...(vendorId === undefined ? {} : { vendorId }) })
    setBusy(false)
  }

  return (
    <form onSubmit={(event) => void submit(event)} className="grid gap-3" noValidate>
      {isMarket && !vendor && (
        <SelectField
          label={t('admin.calendar.for')}
          value={whose}
          options={[
            { value: 0, label: t('admin.calendar.everybody') },
            ...(vendors ?? []).map((one) => ({ value: one.id, label: nameIn(one) })),
          ]}
          onChange={(id) => setWhose(id ?? 0)}
        />
      )}
      <TextField
        label={t('admin.calendar.nameAr')}
        dir="rtl"
        lang="ar"
        maxLength={100}
        value={nameAr}
        onChange={({ target }) => setNameAr(target.value)}
      />
      <TextField
        label={t('admin.calendar.name')}
        dir="ltr"
        maxLength={100}
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      {isHoliday && (
        <CheckboxField label={t('admin.calendar.isEstimated')} value={isEstimated} onChange={setEstimated} />
      )}
      <Button
        type="submit"
        tone="aqua"
        busy={busy}
        reason={isHoliday && !(name && nameAr) ? t('admin.calendar.nameNeeded') : null}
      >
        {t(isHoliday ? 'admin.calendar.addHoliday' : 'admin.calendar.close')}
      </Button>
      <p className="text-ink-3">{t('admin.calendar.keeps')}</p>
    </form>
  )
}
