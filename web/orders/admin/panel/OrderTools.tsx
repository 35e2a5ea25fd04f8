import { startOfBahrainDay } from '@qatra/contract/calendar/calendar'
import {
  type DeliverySlot,
  daysUntil,
  includesSlot,
  promiseFields,
  slotOf,
  slotOn,
  slotWords,
} from '@qatra/contract/calendar/slot'
import type { AdminOrderDetail } from '@qatra/contract/orders/admin'
import { shortId } from '@qatra/contract/orders/order-id'
import { canBecome, isClosed, type OrderStatus, takenBackTo } from '@qatra/contract/orders/order-status'
import { sendReceipt } from '@qatra/contract/orders/receipts'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { DayChoice } from '../../../delivery/DayChoice.tsx'
import { deliveryDaysQuery } from '../../../delivery/days.ts'
import { call } from '../../../lib/api-client.ts'
import { useUser } from '../../../lib/current-user.ts'
import { useLanguage, useT } from '../../../lib/language/i18n.tsx'
import { refusalText } from '../../../lib/refusal.ts'
import { useAction } from '../../../lib/use-action.ts'
import { ConfirmDialog } from '../../../ui/admin/ConfirmDialog.tsx'
import { today } from '../../../ui/admin/day-words.ts'
import { Menu } from '../../../ui/admin/Menu.tsx'
import { PanelPart } from '../../../ui/admin/SidePanel.tsx'
import { ToolbarButton, ToolbarLink, toolbarButtonClass } from '../../../ui/admin/ToolbarButton.tsx'
import { DownIcon, DownloadIcon, SendIcon } from '../../../ui/icons.tsx'
import { CashQuestion } from '../CashQuestion.tsx'
import { isCashDue, nextAction } from '../next-action.ts'
import type { OrderActions } from '../use-order-actions.ts'
import { ConfirmationTool } from './ConfirmationTool.tsx'
import { NoteTool } from './NoteTool.tsx'

interface OrderToolsProps {
  order: AdminOrderDetail
  actions: OrderActions
  onChooseDriver(): void
  /** Extra tools of the caller. */
  children?: ReactNode
}

/** The other actions, each shown only if permitted. */
export function OrderTools({ order, actions, onChooseDriver, children }: OrderToolsProps) {
  const { t, lang } = useLanguage()
  const [confirming, setConfirming] = useState<OrderStatus | null>(null)
  const { can } = order
  const isDriver = useUser()?.role === 'driver'
  const [isAsking, setIsAsking] = useState(false)
  const next = nextAction(order, isDriver)
  const others = can.changeStatus.filter(
    (to) =>
      to !== 'cancelled' &&
      !(next?.kind === 'move' && next.to === to) &&
      !(can.takeBack && takenBackTo(order).includes(to)),
  )
  const isCancellable = can.changeStatus.includes('cancelled')
  const isAnything =
    can.confirm || can.note || (can.assign && order.driver) || others.length > 0 || can.takeBack || isCancellable
  if (!isAnything && !children) return null
  function choose(to: OrderStatus) {
    if (!isUsual(order.status, to)) setConfirming(to)
    else if (to === 'delivered' && !isDriver && isCashDue(order)) setIsAsking(true)
    else void actions.move({ status: to })
  }
  return (
    <PanelPart>
      <div className="grid gap-3">
        <div className="flex flex-wrap gap-2 empty:hidden">
          {can.confirm && (
            <ToolbarLink
              icon={DownloadIcon}
              href={`/api/admin/orders/${order.id}/receipt.pdf?lang=${lang}`}
              target="_blank"
            >
              <span>
                {t(order.invoiceNumber ? 'desk.tool.invoice' : 'desk.tool.deliveryNote')}{' '}
                <bdi dir="ltr">{order.invoiceNumber}</bdi>
              </span>
            </ToolbarLink>
          )}
          {can.confirm && order.status === 'delivered' && <SendReceiptTool id={order.id} />}
          {can.confirm && <ConfirmationTool id={order.id} />}
          {can.assign && order.driver && (
            <ToolbarButton onClick={onChooseDriver}>{t('desk.tool.driver')}</ToolbarButton>
          )}
          {can.takeBack && (
            <StatusMenu label={t('desk.tool.takeBack')} statuses={takenBackTo(order)} onChoose={choose} />
          )}
          {others.length > 0 && <StatusMenu label={t('desk.tool.status')} statuses={others} onChoose={choose} />}
          {isCancellable && (
            <ToolbarButton tone="danger" onClick={() => setConfirming('cancelled')}>
              {t('desk.tool.cancel')}
            </ToolbarButton>
          )}
        </div>
        {can.note && <NoteTool actions={actions} />}
        {children && <div>{children}</div>}
        {isAsking && (
          <CashQuestion
            orders={[order]}
            onClose={() => setIsAsking(false)}
            onChoose={(cashHeldBy) => {
              setIsAsking(false)
              void actions.move({ status: 'delivered', cashHeldBy })
            }}
          />
        )}
        {confirming && (
          <StatusDialog
            order={order}
            to={confirming}
            busy={actions.busy !== null}
            onCancel={() => setConfirming(null)}
            onConfirm={(notes, slot) => {
              setConfirming(null)
              void actions.move({
                status: confirming,
                ...(notes ? { notes } : {}),
                ...(slot ? promiseFields(slot) : {}),
              })
            }}
          />
        )}
      </div>
    </PanelPart>
  )
}

const isUsual = (from: OrderStatus, to: OrderStatus) => canBecome(from, to) && to !== 'cancelled'

interface StatusMenuProps {
  label: string
  statuses: readonly OrderStatus[]
  onChoose(to: OrderStatus): void
}

function StatusMenu({ label, statuses, onChoose }: StatusMenuProps) {
  const t = useT()
  return (
    <Menu
      label={label}
      place="above"
      className={toolbarButtonClass()}
      button={
        <>
          {label}
          <DownIcon size={16} aria-hidden="true" className="text-ink-3" />
        </>
      }
      choices={statuses.map((to) => ({ key: to, label: t(`admin.status.${to}`), onChoose: () => onChoose(to) }))}
    />
  )
}

interface StatusDialogProps {
  order: AdminOrderDetail
  to: OrderStatus
  busy: boolean
  /** With the new slot of an order that is opened again, if its own cannot be kept. */
  onConfirm(notes: string, slot: DeliverySlot | undefined): void
  onCancel(): void
}

/** Cancelling cannot be undone; a move outside the usual steps needs a reason, and opening again a day that is not over. */
function StatusDialog({ order, to, busy, onConfirm, onCancel }: StatusDialogProps) {
  const { t, lang } = useLanguage()
  const [at] = useState(() => startOfBahrainDay(today()).toISOString())
  const [chosen, setChosen] = useState<DeliverySlot | null>(null)
  const isOpenedAgain = order.status === 'cancelled' && !isClosed(to)
  const query = deliveryDaysQuery(order.vendorId, at)
  const { data: days } = useQuery({ ...query, enabled: isOpenedAgain })
  const slots = days?.map(({ date }) => slotOn(date))
  const own = slotOf(order)
  const isKept = daysUntil(own, today()) === 0 || !slots || includesSlot(slots, own)
  const slot = chosen ?? slots?.[0]
  const isCancel = to === 'cancelled' && canBecome(order.status, to)
  const isTakingBack = order.status === 'delivered' && takenBackTo(order).includes(to)
  const scope = isCancel ? 'cancel' : isTakingBack ? 'takeBack' : 'status'
  const about = { id: shortId(order.id), status: t(`admin.status.${to}`) }
  return (
    <ConfirmDialog
      open
      title={t(`desk.${scope}.title`, about)}
      confirm={t(`desk.${scope}.do`)}
      cancel={t(isCancel ? 'desk.cancel.keep' : 'desk.status.back')}
      tone={isCancel ? 'danger' : 'gulf'}
      reason={isCancel ? 'optional' : 'required'}
      reasonLabel={t('desk.reason')}
      busy={busy}
      onConfirm={(notes) => onConfirm(notes, isOpenedAgain && !isKept ? slot : undefined)}
      onCancel={onCancel}
    >
      {t(`desk.${scope}.text`, about)}
      {isOpenedAgain && !isKept && slot && (
        <>
          <p className="mt-3 text-ink">
            {t('desk.status.newDay', {
              old: slotWords(own, lang, 'long'),
              day: slotWords(slot, lang, 'long'),
            })}
          </p>
          <div className="-mx-5.5 mt-2">
            <DayChoice query={query} chosen={slot} onChoose={setChosen} className="px-5.5" />
          </div>
        </>
      )}
    </ConfirmDialog>
  )
}

/** Sends the receipt of a delivered order to the customer's WhatsApp, as a PDF. */
function SendReceiptTool({ id }: { id: string }) {
  const t = useT()
  const [isSent, setSent] = useState(false)
  const { busy, problem, run } = useAction((error) => refusalText(t, error, 'desk'))
  const send = () =>
    run(async () => {
      setSent(false)
      await call(sendReceipt, { params: { id } })
      setSent(true)
    })
  return (
    <>
      <ToolbarButton icon={SendIcon} aria-busy={busy || undefined} onClick={() => busy || void send()}>
        {t('desk.tool.sendReceipt')}
      </ToolbarButton>
      <p
        role="status"
        className={problem ? 'order-last basis-full text-clay' : 'order-last basis-full text-ink-2 empty:hidden'}
      >
        {problem ?? (isSent ? t('desk.receipt.sent') : null)}
      </p>
    </>
  )
}
