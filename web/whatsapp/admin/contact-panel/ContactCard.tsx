import { bahrainDate, formatDay } from '@qatra/contract/calendar/calendar'
import { telLink } from '@qatra/contract/lib/phone'
import type { ContactOrder, ConversationDetail } from '@qatra/contract/whatsapp/inbox/inbox'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useInLang } from '../../../app/names.ts'
import { useUser } from '../../../lib/current-user.ts'
import { useLanguage } from '../../../lib/language/i18n.tsx'
import { useUndoQueue } from '../../../orders/admin/use-undo-queue.ts'
import { ConfirmDialog } from '../../../ui/admin/ConfirmDialog.tsx'
import { CopyButton } from '../../../ui/admin/CopyButton.tsx'
import { DescriptionList } from '../../../ui/admin/DescriptionList.tsx'
import { ReferralFacts } from '../../../ui/admin/ReferralFacts.tsx'
import { PanelPart } from '../../../ui/admin/SidePanel.tsx'
import { Money, Phone } from '../../../ui/Bidi.tsx'
import { classes } from '../../../ui/class-names.ts'
import { CloseIcon, PlusIcon, StartIcon } from '../../../ui/icons.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { useConversationActions } from '../chat/use-conversation-actions.ts'
import { useContactName } from '../inbox/ConversationRow.tsx'
import { detailQuery } from '../inbox/inbox-cache.ts'
import { BottlesPart } from './BottlesPart.tsx'
import { CartPart } from './CartPart.tsx'
import { OpenOrderPart } from './OpenOrderPart.tsx'
import { shortId } from './order-words.ts'

interface CardProps {
  contactId: number
  now: Date
  onClose(): void
  className: string
}

const isOpen = ({ status }: ContactOrder) => status !== 'delivered' && status !== 'cancelled'

/** The contact beside the conversation: profile, open orders and history. */
export function ContactCard({ contactId, onClose, className }: CardProps) {
  const { t } = useLanguage()
  const { data } = useQuery(detailQuery(contactId))
  return (
    <aside
      aria-label={t('inbox.card')}
      className={classes(
        'relative min-h-0 min-w-0 flex-col overflow-y-auto border-line bg-page md:border-s',
        className,
      )}
    >
      <div className="flex min-h-16 flex-none items-center gap-2 border-b border-line px-2 md:px-5 xl:hidden">
        <button
          type="button"
          aria-label={t('inbox.toChat')}
          className="grid size-tap place-items-center rounded-m hover:bg-well md:hidden"
          onClick={onClose}
        >
          <StartIcon size={22} aria-hidden="true" />
        </button>
        <h2 className="text-heading">{t('inbox.card')}</h2>
        <button
          type="button"
          aria-label={t('admin.close')}
          className="ms-auto grid size-8 place-items-center rounded-s hover:bg-well max-md:hidden"
          onClick={onClose}
        >
          <CloseIcon size={18} aria-hidden="true" />
        </button>
      </div>
      {data ? <Known detail={data} /> : <Loading />}
    </aside>
  )
}

function Loading() {
  return (
    <div aria-hidden="true" className="grid gap-3 px-5 py-4.5">
      <Skeleton className="h-6 w-40" />
      <Skeleton className="h-4 w-full" />
      <Skeleton className="h-4 w-full" />
      <Skeleton className="h-4 w-3/4" />
    </div>
  )
}

function Known({ detail }: { detail: ConversationDetail }) {
  const { t, lang } = useLanguage()
  const mayReply = useUser()?.permissions.includes('whatsapp.reply') ?? false
  const undoQueue = useUndoQueue()
  const open = detail.orders.filter(isOpen)
  const before = detail.orders.filter((order) => !isOpen(order))
  return (
    <>
      <CartPart detail={detail} mayWrite={mayReply} />
      {open.length > 0 && (
        <PanelPart title={t('inbox.openOrders', { count: open.length })}>
          <ul className="grid gap-4">
            {open.map((order) => (
              <OpenOrderPart key={order.id} order={order} contactId={detail.contactId} undoQueue={undoQueue} />
            ))}
          </ul>
        </PanelPart>
      )}
      <BottlesPart bottles={detail.bottles} />
      <PanelPart title={t('inbox.customer')}>
        <Customer detail={detail} />
      </PanelPart>
      {detail.referral && (
        <PanelPart title={t('inbox.referral')}>
          <ReferralFacts referral={detail.referral} />
          <p className="text-caption text-ink-3">
            <bdi>{formatDay(bahrainDate(new Date(detail.referral.at)), lang, 'medium')}</bdi>
          </p>
        </PanelPart>
      )}
      {before.length > 0 && (
        <PanelPart title={t('inbox.before')}>
          <Before orders={before} contactId={detail.contactId} />
        </PanelPart>
      )}
      {detail.orders.length === 0 && (
        <PanelPart title={t('inbox.orders')}>
          <p className="text-ink-2">{t('inbox.noOrders')}</p>
        </PanelPart>
      )}
    </>
  )
}

function Customer({ detail }: { detail: ConversationDetail }) {
  const { t, lang } = useLanguage()
  const inLang = useInLang()
  const nameOf = useContactName()
  const { account, phone, businessScopedId, optedOutAt, orders } = detail
  const day = (at: string) => formatDay(bahrainDate(new Date(at)), lang, 'medium')
  const area = orders[0] ? inLang(orders[0].areaName, orders[0].areaNameAr) : null
  const tel = phone && telLink(phone)
  return (
    <>
      <p className="mb-1.5 text-heading">
        <bdi>{account?.name ?? nameOf(detail)}</bdi>
      </p>
      <DescriptionList
        items={[
          [
            t('inbox.phone'),
            phone && (
              <span className="inline-flex items-center">
                {tel ? (
                  <a href={tel} className="min-h-6 hover:underline">
                    <Phone phone={phone} />
                  </a>
                ) : (
                  <Phone phone={phone} />
                )}
                <span className="-my-1.5 -me-2">
                  <CopyButton text={phone} label={t('inbox.phone')} />
                </span>
              </span>
            ),
          ],
          [t('inbox.businessId'), businessScopedId && <bdi dir="ltr">{businessScopedId}</bdi>],
          [t('inbox.languageLabel'), detail.language && t(`inbox.language.${detail.language}`)],
          [t('inbox.orders'), account && String(account.orderCount)],
          [t('inbox.spend'), account && <Money bhd={account.spend} />],
          [t('inbox.area'), area],
          [
            t('inbox.marketing'),
            optedOutAt
              ? t('inbox.marketing.out', { day: day(optedOutAt) })
              : account?.marketingConsent && account.consentAt
                ? t('inbox.marketing.since', { day: day(account.consentAt) })
                : t(account?.marketingConsent ? 'inbox.marketing.yes' : 'inbox.marketing.no'),
          ],
        ]}
      />
      <p className="mt-1.5 flex flex-wrap gap-x-4 gap-y-1">
        {account && (
          <a
            href={`/admin/customers?open=${account.id}`}
            className="inline-flex min-h-6 items-center text-aqua-ink hover:underline max-md:min-h-tap"
          >
            {t('inbox.toCustomer')}
          </a>
        )}
        <OptOut detail={detail} />
      </p>
    </>
  )
}

/** Turns campaigns off or on for a customer. Asks for confirmation, because consent is required by law. */
function OptOut({ detail }: { detail: ConversationDetail }) {
  const { t } = useLanguage()
  const actions = useConversationActions(detail.contactId)
  const [isAsked, setAsked] = useState(false)
  const isOut = detail.optedOutAt !== null
  return (
    <>
      <button
        type="button"
        className="min-h-6 text-aqua-ink hover:underline max-md:min-h-tap"
        onClick={() => setAsked(true)}
      >
        {t(isOut ? 'inbox.optIn' : 'inbox.optOut')}
      </button>
      <ConfirmDialog
        open={isAsked}
        title={t(isOut ? 'inbox.optIn.title' : 'inbox.optOut.title')}
        confirm={t(isOut ? 'inbox.optIn' : 'inbox.optOut')}
        onConfirm={() => {
          setAsked(false)
          void actions.setOptOut(!isOut)
        }}
        onCancel={() => setAsked(false)}
      >
        {t(isOut ? 'inbox.optIn.text' : 'inbox.optOut.text')}
      </ConfirmDialog>
    </>
  )
}

const SHOWN_AT_FIRST = 3

function Before({ orders, contactId }: { orders: readonly ContactOrder[]; contactId: number }) {
  const { t, lang } = useLanguage()
  const [isAll, setAll] = useState(false)
  const shown = isAll ? orders : orders.slice(0, SHOWN_AT_FIRST)
  return (
    <>
      <ul>
        {shown.map((order) => (
          <li key={order.id}>
            <Link
              to="/admin/orders/$id"
              params={{ id: order.id }}
              search={{ chat: contactId }}
              data-open-order
              className="-mx-2 flex min-h-9 items-center gap-2.5 rounded-s px-2 hover:bg-well max-md:min-h-tap"
            >
              <bdi dir="ltr">{shortId(order.id)}</bdi>
              <span className="min-w-0 truncate text-ink-3">
                {formatDay(bahrainDate(new Date(order.createdAt)), lang, 'medium').replace(/ \d{4}$/, '')}
                {order.status === 'cancelled' && ` · ${t('admin.status.cancelled')}`}
              </span>
              <Money bhd={order.total} className="ms-auto flex-none" />
            </Link>
          </li>
        ))}
      </ul>
      {orders.length > SHOWN_AT_FIRST && !isAll && (
        <button
          type="button"
          className="mt-1 flex min-h-6 items-center gap-1 text-aqua-ink hover:underline max-md:min-h-tap"
          onClick={() => setAll(true)}
        >
          <PlusIcon size={16} aria-hidden="true" />
          {t('inbox.beforeMore', { count: orders.length - SHOWN_AT_FIRST })}
        </button>
      )}
    </>
  )
}
