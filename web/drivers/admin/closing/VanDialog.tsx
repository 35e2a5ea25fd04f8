import type { CashClosing } from '@qatra/contract/cash-closing'
import type { DriverDay } from '@qatra/contract/driver-board'
import { writeVan } from '@qatra/contract/van'
import { useState } from 'react'
import { useNameIn } from '../../../app/names.ts'
import { call } from '../../../lib/api-client.ts'
import { useUser } from '../../../lib/current-user.ts'
import { useT } from '../../../lib/language/i18n.tsx'
import { refusalText } from '../../../lib/refusal.ts'
import { AmountDialog, isReason } from '../../../orders/admin/AmountDialog.tsx'
import { NumberField } from '../../../ui/admin/form/fields.tsx'
import { useForm } from '../../../ui/admin/form/use-form.ts'
import { Button } from '../../../ui/Button.tsx'
import { toast } from '../../../ui/Toast.tsx'
import { vanKey } from '../run/run-van.ts'

type BottleLine = CashClosing['bottles'][number]
const kinds = ['full', 'empty'] as const
type FieldName = 'reason' | `${number}.${(typeof kinds)[number]}`
const isCount = (count: number | null) => count !== null && Number.isInteger(count) && count >= 0 && count <= 10_000

interface VanDialogProps {
  driver: DriverDay['driver']
  closing: CashClosing
  onClose(): void
}

/** The office counts the bottles in a driver's van; each type starts with what should be there. */
export function VanDialog({ driver, closing: { bottles, bottleTypes, date }, onClose }: VanDialogProps) {
  const t = useT()
  const nameIn = useNameIn()
  // One idempotency key per dialog, as that of cash.
  const [key] = useState(() => crypto.randomUUID())
  // As they were when the dialog opened: a count that comes meanwhile is not replaced unseen.
  const [lines] = useState(() => bottles.filter(({ driverId }) => driverId === driver.id))
  const form = useForm({
    body: undefined,
    start: {
      reason: '',
      counts: lines.map(
        ({ expected }): Record<(typeof kinds)[number], number | null> => ({
          full: expected.full,
          empty: expected.empty,
        }),
      ),
    },
    fieldAt: ([name]): FieldName => (name === 'full' || name === 'empty' ? `0.${name}` : 'reason'),
    toBody: ({ counts, reason }) => ({ counts, reason: reason.trim() }),
    check: ({ counts, reason }) => ({
      ...Object.fromEntries(
        counts.flatMap((count, i) =>
          kinds.flatMap((kind) => (isCount(count[kind]) ? [] : [[`${i}.${kind}`, t('validation.number')]])),
        ),
      ),
      ...(isReason(reason) ? {} : { reason: t('admin.form.reasonNeeded') }),
    }),
    async send({ counts, reason }) {
      for (const [i, { typeId, count }] of lines.entries()) {
        const { full, empty } = counts[i] ?? {}
        const before = count && { full: count.full, empty: count.empty }
        const own = { full: full ?? 0, empty: empty ?? 0, key: vanKey(key, { typeId, productId: null }) }
        const params = { id: String(driver.id) }
        await call(writeVan, { params, body: { date, kind: 'counted', typeId, before, reason, ...own } })
      }
    },
    onSaved() {
      toast({ title: t('run.vanSaved.counted') })
      onClose()
    },
    failureOf: (error) => refusalText(t, error, 'drivers'),
  })
  return (
    <AmountDialog
      form={form}
      title={t('closing.vanTitle', { name: driver.name ?? driver.phone })}
      text={t('closing.vanText')}
      save={t('closing.vanSave')}
      reason={{ label: t('closing.reason'), ...form.text('reason') }}
      onClose={onClose}
    >
      {lines.map(({ typeId }, i) => {
        const type = bottleTypes.find(({ id }) => id === typeId)
        return (
          <fieldset key={typeId} className="grid grid-cols-2 gap-x-4">
            <legend className="mb-1 font-strong">
              <bdi>{type && nameIn(type)}</bdi>
            </legend>
            {kinds.map((kind) => (
              <NumberField
                key={kind}
                name={`${i}.${kind}`}
                label={t(`run.van.${kind}`)}
                value={form.values.counts[i]?.[kind] ?? null}
                error={form.errors[`${i}.${kind}`]}
                onChange={(value) =>
                  form.set(
                    ({ counts }) => ({ counts: counts.map((one, at) => (at === i ? { ...one, [kind]: value } : one)) }),
                    `${i}.${kind}`,
                  )
                }
              />
            ))}
          </fieldset>
        )
      })}
    </AmountDialog>
  )
}

interface VanCountedProps {
  lines: readonly BottleLine[]
  isClosed: boolean
  onCount(): void
}

/** Who counted a driver's van, why the office did, and the button to count it. */
export function VanCounted({ lines, isClosed, onCount }: VanCountedProps) {
  const t = useT()
  const mayCount = useUser()?.permissions.includes('drivers.run')
  const counts = lines.flatMap(({ count }) => count ?? [])
  const people = [...new Set(counts.flatMap(({ by }) => by ?? []))]
  const reasons = [...new Set(counts.flatMap(({ reason }) => reason ?? []))]
  return (
    <>
      {people.map((name) => (
        <span key={name} className="block text-caption text-ink-2">
          {t('drivers.by', { name })}
        </span>
      ))}
      {reasons.map((reason) => (
        <q key={reason} dir="auto" className="text-as-page block text-caption text-ink-2">
          {reason}
        </q>
      ))}
      {mayCount && !isClosed && (
        <span className="no-print mt-1 block">
          <Button tone="quiet" size="small" onClick={onCount}>
            {t(counts.length === 0 ? 'run.vanDo.counted' : 'closing.vanAgain')}
          </Button>
        </span>
      )}
    </>
  )
}
