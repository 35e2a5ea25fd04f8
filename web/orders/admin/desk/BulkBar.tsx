import { addFils, formatMoney, fromBhd } from '@qatra/contract/lib/money'
import type { AdminOrder } from '@qatra/contract/orders/admin'
import { MOST_AT_ONCE } from '@qatra/contract/orders/filters'
import { shortId } from '@qatra/contract/orders/order-id'
import type { OrderStatus } from '@qatra/contract/orders/order-status'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useLanguage, useT } from '../../../lib/language/i18n.tsx'
import { refusalText } from '../../../lib/refusal.ts'
import { ConfirmDialog } from '../../../ui/admin/ConfirmDialog.tsx'
import { PrintIcon, RouteIcon } from '../../../ui/admin/icons.ts'
import { ToolbarButton, toolbarButtonClass } from '../../../ui/admin/ToolbarButton.tsx'
import { BoxIcon, CalendarIcon, CheckIcon, CloseIcon, type Icon, TruckIcon, UserIcon } from '../../../ui/icons.tsx'
import { CashQuestion } from '../CashQuestion.tsx'
import { DriverDialog } from '../DriverDialog.tsx'
import { isCashDue, unitsOf } from '../next-action.ts'
import { MoveDayDialog } from '../panel/MoveDay.tsx'
import { sayProblem } from '../problems.ts'
import type { UndoQueue } from '../use-undo-queue.ts'
import { AreasDialog } from './AreasDialog.tsx'
import { type Bulk, mayMove } from './use-bulk.ts'
import type { WholeSelection } from './use-selection.ts'

const moves: readonly { to: OrderStatus; key: 'prepare' | 'ship' | 'deliver'; icon: Icon }[] = [
  { to: 'in-progress', key: 'prepare', icon: BoxIcon },
  { to: 'shipped', key: 'ship', icon: TruckIcon },
  { to: 'delivered', key: 'deliver', icon: CheckIcon },
]

interface BulkBarProps {
  rows: readonly AdminOrder[]
  bulk: Bulk
  whole: WholeSelection | null
}

/** Actions on the selected orders. Moves that none of them allows are not offered. */
export function BulkBar({ rows, bulk, whole }: BulkBarProps) {
  const { t, lang } = useLanguage()
  const [dialog, setDialog] = useState<'driver' | 'areas' | 'day' | 'cancel' | 'cash' | null>(null)
  const able = (to: OrderStatus) => rows.some((row) => mayMove(row, to))
  const isDue = (row: AdminOrder) => isCashDue(row) && mayMove(row, 'delivered')
  const vendors = new Set(rows.map(({ vendorId }) => vendorId))
  const [vendorId = null] = vendors
  const unassigned = rows.filter(({ assignedDriverId, can }) => assignedDriverId === null && can.assign)
  return (
    <>
      <span className="text-on-deep">
        {t('desk.unitCount', { count: unitsOf(rows) })} ·{' '}
        <bdi>{formatMoney(addFils(...rows.map(({ total }) => fromBhd(total))), lang)}</bdi>
      </span>
      {whole && <SelectWhole {...whole} />}
      {rows.some(({ can }) => can.assign) && (
        <ToolbarButton icon={UserIcon} onClick={() => setDialog('driver')}>
          {t('desk.bulk.driver')}
        </ToolbarButton>
      )}
      {unassigned.length > 0 && (
        <ToolbarButton icon={RouteIcon} onClick={() => setDialog('areas')}>
          {t('desk.areas.assign')}
        </ToolbarButton>
      )}
      {moves.map(({ to, key, icon }) =>
        able(to) ? (
          <ToolbarButton
            key={to}
            icon={icon}
            onClick={() => (to === 'delivered' && rows.some(isDue) ? setDialog('cash') : bulk.move(rows, to))}
          >
            {t(`desk.bulk.${key}`)}
          </ToolbarButton>
        ) : null,
      )}
      {rows.some(({ can }) => can.reschedule) && (
        <ToolbarButton icon={CalendarIcon} onClick={() => setDialog('day')}>
          {t('desk.day.move')}
        </ToolbarButton>
      )}
      <Link
        to="/admin/orders/print"
        search={{ ids: rows.map(({ id }) => id).join(',') }}
        className={toolbarButtonClass(false, 'max-md:hidden')}
      >
        <PrintIcon size={16} aria-hidden="true" className="text-ink-3" />
        {t('desk.print')}
      </Link>
      {able('cancelled') && (
        <ToolbarButton tone="danger" onClick={() => setDialog('cancel')}>
          {t('desk.bulk.cancel')}
        </ToolbarButton>
      )}
      {dialog === 'cash' && (
        <CashQuestion
          orders={rows.filter(isDue)}
          onClose={() => setDialog(null)}
          onChoose={(cashHeldBy) => {
            setDialog(null)
            bulk.move(rows, 'delivered', { cashHeldBy })
          }}
        />
      )}
      {dialog === 'day' && (
        <MoveDayDialog
          vendorId={vendors.size === 1 ? vendorId : null}
          current={null}
          hint={t('desk.day.hintMany', { count: rows.length })}
          onClose={() => setDialog(null)}
          onChoose={(slot, reason) => {
            setDialog(null)
            bulk.reschedule(rows, slot, reason)
          }}
        />
      )}
      {dialog === 'areas' && (
        <AreasDialog
          orders={unassigned}
          onClose={() => setDialog(null)}
          onChoose={(byDriver) => {
            setDialog(null)
            bulk.assignEach(byDriver)
          }}
        />
      )}
      {dialog === 'driver' && (
        <DriverDialog
          orders={rows}
          current={null}
          removable={rows.some(({ driver }) => driver !== null)}
          startable={able('shipped')}
          onClose={() => setDialog(null)}
          onChoose={(driver, isStarting) => {
            setDialog(null)
            bulk.assign(rows, driver, isStarting)
          }}
        />
      )}
      <ConfirmDialog
        open={dialog === 'cancel'}
        title={t('desk.cancel.titleMany', { count: rows.length })}
        confirm={t('desk.bulk.cancel')}
        cancel={t('desk.cancel.keepMany')}
        tone="danger"
        reason="optional"
        reasonLabel={t('desk.reason')}
        onCancel={() => setDialog(null)}
        onConfirm={(notes) => {
          setDialog(null)
          bulk.move(rows, 'cancelled', notes ? { notes } : {})
        }}
      >
        {t('desk.cancel.text')}
      </ConfirmDialog>
    </>
  )
}

/** Selects the orders of all pages, as many as one action changes. */
function SelectWhole({ total, isExact, busy, closed, selectAll }: WholeSelection) {
  const t = useT()
  const isTooMany = total > MOST_AT_ONCE
  const count = isExact ? String(total) : t('desk.andMore', { count: total })
  const note = isTooMany ? t('desk.select.most', { most: MOST_AT_ONCE }) : ''
  const left = closed ? t('desk.select.done', { closed }) : ''
  return (
    <>
      {closed === null && (
        <ToolbarButton onClick={() => busy || void selectAll()}>
          {isTooMany
            ? t('desk.select.first', { most: MOST_AT_ONCE, total: count })
            : t('desk.select.all', { count: total })}
        </ToolbarButton>
      )}
      <span role="status" className="text-on-deep empty:hidden">
        {[left, note].filter(Boolean).join(' ')}
      </span>
    </>
  )
}

interface RefusedOrdersProps {
  bulk: Bulk
  undoQueue: UndoQueue
  /** The open order; its panel shows its own problem. */
  open: string | undefined
}

/** Errors of the last action by order, until dismissed. */
export function RefusedOrders({ bulk, undoQueue, open }: RefusedOrdersProps) {
  const t = useT()
  const { refused } = bulk
  const problem = undoQueue.problem?.id === open ? null : undoQueue.problem
  if (refused.length === 0 && problem === null) return null
  return (
    <div role="alert" className="mx-4 mb-2 flex items-start gap-3 rounded-[10px] bg-clay-soft px-3 py-2 md:mx-6">
      <div className="min-w-0 flex-1">
        <p className="font-strong text-clay">
          {problem ? sayProblem(problem, t) : t('desk.bulk.refused', { count: refused.length })}
        </p>
        <ul>
          {refused.slice(0, 10).map(({ id, code }) => (
            <li key={id}>{t('desk.bulk.refusedOne', { id: shortId(id), reason: refusalText(t, { code }, 'desk') })}</li>
          ))}
        </ul>
      </div>
      <button
        type="button"
        aria-label={t('desk.bulk.dismiss')}
        className="grid size-8 flex-none place-items-center rounded-s hover:bg-well"
        onClick={() => {
          bulk.dismiss()
          if (problem) undoQueue.dismiss(problem.id)
        }}
      >
        <CloseIcon size={16} aria-hidden="true" />
      </button>
    </div>
  )
}
