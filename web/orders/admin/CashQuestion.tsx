import { addFils, formatMoney, fromBhd } from '@qatra/contract/lib/money'
import type { AdminOrder } from '@qatra/contract/orders/admin'
import type { CashHolder } from '@qatra/contract/orders/cash'
import { useLanguage } from '../../lib/language/i18n.tsx'
import { moveFocusByArrows } from '../../ui/admin/move-focus-by-arrows.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { isCashDue } from './next-action.ts'

interface CashQuestionProps {
  /** Orders to be marked delivered; only those with cash due are counted. */
  orders: readonly AdminOrder[]
  onChoose(holder: CashHolder): void
  onClose(): void
}

/** Asks who holds the cash of orders that staff mark delivered; one click answers and delivers. */
export function CashQuestion({ orders, onChoose, onClose }: CashQuestionProps) {
  const { t, lang } = useLanguage()
  const due = orders.filter(isCashDue)
  const money = formatMoney(addFils(...due.map(({ cashDue }) => fromBhd(cashDue))), lang)
  const drivers = new Map(due.flatMap(({ driver }) => (driver ? [[driver.id, driver]] : [])))
  const [one] = drivers.values()
  const driverName = one && drivers.size === 1 ? (one.name ?? one.phone) : t('desk.cash.drivers')
  const choices: [CashHolder, string][] = [
    ...(drivers.size > 0 ? [['driver', t('desk.cash.driver', { name: driverName })] as [CashHolder, string]] : []),
    ['office', t('desk.cash.admin')],
    ['nobody', t('desk.cash.nobody')],
  ]
  return (
    <Dialog open title={t('desk.cash.title')} safe={{ label: t('admin.cancel'), onChoose: onClose }} className="admin">
      <p>{t('desk.cash.text', { count: due.length, money })}</p>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: arrow keys work in addition to Tab. */}
      <ul data-first="" className="mt-3 grid gap-2" onKeyDown={(event) => moveFocusByArrows(event)}>
        {choices.map(([holder, label]) => (
          <li key={holder}>
            <Button tone="outline" className="w-full" onClick={() => onChoose(holder)}>
              <bdi>{label}</bdi>
            </Button>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
