import { formatMoney, fromBhd } from '@qatra/contract/lib/money'
import { changePayment } from '@qatra/contract/orders/admin'
import type { Double, PaymentHolder } from '@qatra/contract/orders/payments'
import { useState } from 'react'
import { call } from '../../lib/api-client.ts'
import { useUser } from '../../lib/current-user.ts'
import { useLanguage } from '../../lib/language/i18n.tsx'
import { refusalText } from '../../lib/refusal.ts'
import { useAction } from '../../lib/use-action.ts'
import { ConfirmDialog } from '../../ui/admin/ConfirmDialog.tsx'
import { Button } from '../../ui/Button.tsx'
import { toast } from '../../ui/Toast.tsx'

interface DoubleQuestionProps {
  orderId: string
  double: Double
  onAsk?(): void
  onDone(): void
}

/** What may be one sum recorded twice, and the two acts that take a record back. Only people know which one is true. */
export function DoubleQuestion({ orderId, double, onAsk, onDone }: DoubleQuestionProps) {
  const { t, lang } = useLanguage()
  const mayRefund = useUser()?.permissions.includes('orders.refund') ?? false
  const [asked, setAsked] = useState<PaymentHolder | null>(null)
  const { busy, problem, run } = useAction((error) => refusalText(t, error, 'desk'))
  const { office, driver } = double
  const money = (bhd: number) => formatMoney(fromBhd(bhd), lang)
  const amount = money(asked ? double[asked].amount : 0)
  const acts: PaymentHolder[] = [
    ...(mayRefund || office.isOwn ? ['office' as const] : []),
    ...(mayRefund ? ['driver' as const] : []),
  ]
  const takeBack = (mistake: PaymentHolder, notes: string) =>
    run(async () => {
      await call(changePayment, { params: { id: orderId }, body: { mistake, notes } })
      setAsked(null)
      toast({ title: t('desk.double.done', { amount }) })
      onDone()
    })
  return (
    <div className="flex min-w-0 basis-full flex-wrap items-center gap-2">
      <p className="basis-full text-caption text-ink-2">
        {t('desk.double', {
          amount: money(office.amount),
          name: office.name ?? t('desk.double.unknown'),
          other: money(driver.amount),
          driver: driver.name ?? t('desk.double.unknown'),
        })}
      </p>
      {acts.map((act) => (
        <Button
          key={act}
          tone="outline"
          size="small"
          className="bg-surface"
          onClick={() => {
            onAsk?.()
            setAsked(act)
          }}
        >
          {t(act === 'office' ? 'desk.double.office' : 'desk.double.driver')}
        </Button>
      ))}
      {asked && (
        <ConfirmDialog
          open
          title={t(asked === 'office' ? 'desk.double.officeTitle' : 'desk.double.driverTitle', { amount })}
          confirm={t(asked === 'office' ? 'desk.double.office' : 'desk.double.driver')}
          tone="danger"
          reason={asked === 'office' && office.isOwn ? 'optional' : 'required'}
          busy={busy}
          error={problem}
          onCancel={() => setAsked(null)}
          onConfirm={(notes) => void takeBack(asked, notes)}
        >
          {t(asked === 'office' ? 'desk.double.officeText' : 'desk.double.driverText')}
        </ConfirmDialog>
      )}
    </div>
  )
}
