import { bahrainDate, formatDay } from '@qatra/contract/calendar/calendar'
import { slotOf, slotWords } from '@qatra/contract/calendar/slot'
import { isolated } from '@qatra/contract/lib/text'
import { itemText } from '@qatra/contract/products/unit-text'
import type { ContactOrder, ConversationAction } from '@qatra/contract/whatsapp/inbox/inbox'
import { Link } from '@tanstack/react-router'
import { Fragment, type ReactNode } from 'react'
import { useNameIn } from '../../../app/names.ts'
import { useUser } from '../../../lib/current-user.ts'
import { useLanguage } from '../../../lib/language/i18n.tsx'
import { BotIcon, HandIcon, NoteIcon } from '../../../ui/admin/icons.ts'
import { OrderBadge } from '../../../ui/Badge.tsx'
import { Money } from '../../../ui/Bidi.tsx'
import { UserIcon } from '../../../ui/icons.tsx'
import { ProductThumb } from '../../../ui/ProductPicture.tsx'
import { clock, dayTitle } from '../chat/chat-time.ts'
import { itemName, shortId } from '../contact-panel/order-words.ts'
import { MessageBubble, PendingBubble } from './Bubble.tsx'
import type { ThreadItem } from './thread.ts'

interface EntryProps {
  item: ThreadItem
  contactId: number
  /** A search has found it. */
  isHit: boolean
  now: Date
}

/** Renders one item of a conversation by its kind. */
export function ThreadEntry({ item, contactId, isHit, now }: EntryProps) {
  const { t, lang } = useLanguage()
  switch (item.kind) {
    case 'day':
      return <li className="justify-self-center py-1 text-caption text-ink-3">{dayTitle(item.day, now, lang, t)}</li>
    case 'unread':
      return (
        <li
          data-unread
          className="flex items-center gap-3 py-1 text-caption font-strong text-aqua-ink before:h-px before:flex-1 before:bg-current after:h-px after:flex-1 after:bg-current"
        >
          {t('inbox.unreadFrom', { count: item.count })}
        </li>
      )
    case 'message':
      return <MessageBubble message={item.message} contactId={contactId} isLast={item.isLast} isHit={isHit} />
    case 'pending':
      return <PendingBubble pending={item.pending} />
    case 'note':
      return (
        <li className="max-w-107.5 justify-self-end rounded-[14px] border border-dashed border-line-strong bg-page px-3.5 pt-2 pb-1.5">
          <p className="flex items-center gap-1.5 text-caption text-ink-3">
            <NoteIcon size={14} aria-hidden="true" />
            {t('inbox.note.by', { name: isolated(item.note.by?.name ?? '—'), time: clock(item.note.at, lang) })}
          </p>
          <p dir="auto" className="whitespace-pre-wrap wrap-break-word">
            {item.note.body}
          </p>
        </li>
      )
    case 'action':
      return <ActionLine action={item.action} />
    default:
      return <OrderLine order={item.order} contactId={contactId} />
  }
}

function ActionLine({ action: { act: kind, by, to, at } }: { action: ConversationAction }) {
  const { t, lang } = useLanguage()
  const user = useUser()
  const isOwn = by !== null && by.id === user?.id
  const values = { name: isolated(by?.name ?? '—'), to: isolated(to?.name ?? '—'), time: clock(at, lang) }
  const Sign = kind === 'handed-back' || kind === 'cart-sent' ? BotIcon : kind === 'taken-over' ? HandIcon : UserIcon
  return (
    <li className="my-1 flex max-w-full items-center gap-1.5 justify-self-center rounded-full bg-gulf-soft px-3 py-1 text-caption text-gulf">
      <Sign size={15} aria-hidden="true" className="flex-none" />
      <span className="min-w-0">{t(keyOf(kind, by, isOwn), values)}</span>
    </li>
  )
}

/** Without an author it was given or released by the rules of the office. */
function keyOf(kind: ConversationAction['act'], by: ConversationAction['by'], isOwn: boolean) {
  if (by === null && (kind === 'assigned' || kind === 'released')) return `inbox.turn.${kind}` as const
  return isOwn ? (`inbox.own.${kind}` as const) : (`inbox.act.${kind}` as const)
}

/** An order, at the time it was placed. */
function OrderLine({ order, contactId }: { order: ContactOrder; contactId: number }) {
  const { t, lang } = useLanguage()
  const nameIn = useNameIn()
  const rest = order.itemCount - order.items.length
  return (
    <li className="w-82.5 max-w-full justify-self-end">
      <Link
        to="/admin/orders/$id"
        params={{ id: order.id }}
        search={{ chat: contactId }}
        className="block rounded-[14px] rounded-se-[4px] bg-surface px-3.5 py-3 inset-ring inset-ring-line hover:bg-page"
      >
        <span className="mb-2 flex items-center justify-between gap-2">
          <b className="font-strong">
            {t('inbox.order')}{' '}
            <bdi dir="ltr" className="whitespace-nowrap">
              {shortId(order.id)}
            </bdi>
          </b>
          <OrderBadge status={order.status} staff>
            {t(`admin.status.${order.status}`)}
          </OrderBadge>
        </span>
        <span className="grid gap-1.5">
          {order.items.map((item, at) => (
            // The items of an order never change their position.
            // biome-ignore lint/suspicious/noArrayIndexKey: as above
            <Fragment key={at}>
              <ItemLine picture={<ProductThumb size={item.size ?? ''} imageUrl={item.imageUrl} tint={null} px={36} />}>
                <bdi>
                  {itemText(
                    { t, lang },
                    { ...item, size: item.size ?? '' },
                    {
                      count: item.quantity,
                      name: itemName(item, nameIn, lang),
                    },
                  )}
                </bdi>
              </ItemLine>
            </Fragment>
          ))}
          {rest > 0 && <span className="text-caption text-ink-3">{t('inbox.order.more', { count: rest })}</span>}
        </span>
        <span className="mt-2 flex flex-wrap justify-between gap-x-3 border-t border-line pt-2 font-strong">
          <span>
            {order.status === 'delivered' || order.status === 'cancelled'
              ? formatDay(bahrainDate(new Date(order.createdAt)), lang, 'short')
              : t('inbox.order.arrives', { day: slotWords(slotOf(order), lang, 'short') })}
          </span>
          <Money bhd={order.total} />
        </span>
      </Link>
    </li>
  )
}

function ItemLine({ picture, children }: { picture: ReactNode; children: ReactNode }) {
  return (
    <span className="flex min-w-0 items-center gap-2.5">
      {picture}
      <span className="min-w-0">{children}</span>
    </span>
  )
}
