import { mayOpen } from '@qatra/contract/admin'
import { slotOn, slotWords } from '@qatra/contract/calendar/slot'
import type { CartItem } from '@qatra/contract/cart/cart'
import { formatMoney, fromBhd } from '@qatra/contract/lib/money'
import type { ConversationCart } from '@qatra/contract/whatsapp/inbox/cart'
import type { ConversationDetail } from '@qatra/contract/whatsapp/inbox/inbox'
import { Link } from '@tanstack/react-router'
import { useNameIn } from '../../../app/names.ts'
import { useUser } from '../../../lib/current-user.ts'
import { useLanguage, useT } from '../../../lib/language/i18n.tsx'
import { linkCaller } from '../../../sales/admin/linked-caller.ts'
import { ReceiptIcon } from '../../../ui/admin/icons.ts'
import { PanelPart } from '../../../ui/admin/SidePanel.tsx'
import { Money } from '../../../ui/Bidi.tsx'
import { Button, buttonClass } from '../../../ui/Button.tsx'
import { CheckIcon, SendIcon } from '../../../ui/icons.tsx'
import { ProductThumb } from '../../../ui/ProductPicture.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { Stepper } from '../../../ui/Stepper.tsx'
import { Units } from '../../../ui/Units.tsx'
import { itemName } from './order-words.ts'
import { useCustomerCart } from './use-customer-cart.ts'

interface CartProps {
  detail: ConversationDetail
  /** Whether the person may change the cart and send it. */
  mayWrite: boolean
}

/** The customer's cart, updated while the customer changes it. */
export function CartPart({ detail, mayWrite }: CartProps) {
  const { t } = useLanguage()
  const cart = useCustomerCart(detail.contactId)
  const { data, error, busy, problem } = cart
  const items = data?.cart.items ?? []
  return (
    <PanelPart
      title={
        <span className="flex items-center justify-between gap-2">
          {t('inbox.cart')}
          {items.length > 0 && (
            <span className="flex items-center gap-1.5 text-aqua-ink">
              <span aria-hidden="true" className="size-2 rounded-full bg-aqua" />
              {t('inbox.cart.live')}
            </span>
          )}
        </span>
      }
    >
      {!data && !error && <Skeleton className="h-12 w-full" />}
      {!data && error && (
        <p role="alert" className="text-ink-2">
          {t('inbox.cart.failed')}{' '}
          <button type="button" className="min-h-6 text-aqua-ink underline" onClick={() => void cart.refetch()}>
            {t('admin.retry')}
          </button>
        </p>
      )}
      {data && items.length === 0 && <p className="text-ink-2">{t('inbox.cart.empty')}</p>}
      {data && items.length > 0 && (
        <>
          <ul aria-label={t('inbox.cart')} className="grid gap-2">
            {items.map((item) => (
              <Line
                key={item.id}
                item={item}
                quantity={cart.quantityOf(item)}
                onChange={mayWrite ? (quantity) => cart.setQuantity(item.id, quantity) : undefined}
              />
            ))}
          </ul>
          <Sum data={data} />
          {mayWrite && (
            <Button
              tone="gulf"
              icon={data.isAwaitingYes ? CheckIcon : SendIcon}
              className="mt-3 w-full"
              busy={busy}
              reason={data.isAwaitingYes && t('inbox.cart.waiting')}
              onClick={() => void cart.send()}
            >
              {t('inbox.cart.send')}
            </Button>
          )}
          {problem && (
            <p role="alert" className="mt-1.5 text-caption text-clay">
              {problem}
            </p>
          )}
        </>
      )}
      <OrderForCustomer detail={detail} known={data} />
    </PanelPart>
  )
}

interface LineProps {
  item: CartItem
  quantity: number
  onChange: ((quantity: number) => void) | undefined
}

function Line({ item, quantity, onChange }: LineProps) {
  const { t, lang } = useLanguage()
  const nameIn = useNameIn()
  const name = itemName(item, nameIn, lang)
  return (
    <li className="flex items-center gap-2.5">
      <ProductThumb size={item.size} imageUrl={item.imageUrl} tint={null} px={36} />
      <span className="min-w-0 flex-1 leading-normal">
        <bdi className="line-clamp-2">{name}</bdi>
        {item.isAvailable ? (
          <span className="block text-caption text-ink-3">
            <Units of={item} count={quantity} /> · <Money bhd={item.price} />
          </span>
        ) : (
          <span className="block text-caption text-clay">{t('inbox.cart.gone')}</span>
        )}
      </span>
      {onChange ? (
        <Stepper name={name} quantity={quantity} onChange={onChange} className="w-29 flex-none" />
      ) : (
        <bdi className="font-strong">{quantity}</bdi>
      )}
    </li>
  )
}

function Sum({ data }: { data: ConversationCart }) {
  const { t, lang } = useLanguage()
  const nameIn = useNameIn()
  const { cart, vendor, promisedDate, area, minimumLeft } = data
  const where = [promisedDate && slotWords(slotOn(promisedDate), lang, 'long'), area && nameIn(area)].filter(Boolean)
  return (
    <div className="mt-2.5 border-t border-line pt-2.5">
      <p className="flex justify-between gap-3 font-strong">
        {t('inbox.cart.total')}
        <Money bhd={cart.total} />
      </p>
      {where.length > 0 && (
        <p className="text-caption text-ink-3">
          <bdi>{where.join(' · ')}</bdi>
        </p>
      )}
      {minimumLeft > 0 && vendor && (
        <p className="text-caption text-clay">
          {t('inbox.cart.missing', { amount: formatMoney(fromBhd(minimumLeft), lang), vendor: nameIn(vendor) })}
        </p>
      )}
    </div>
  )
}

interface OrderProps {
  detail: ConversationDetail
  known: ConversationCart | undefined
}

/** Opens the order page filled in with what the conversation knows; the account's own data take precedence there. */
function OrderForCustomer({ detail, known }: OrderProps) {
  const t = useT()
  const user = useUser()
  const { phone, account, name } = detail
  if (phone === null || !mayOpen('/admin/sales/place-order', user)) return null
  return (
    <Link
      to="/admin/sales/place-order"
      search={{ phone, chat: detail.contactId }}
      data-new-order
      className={buttonClass('quiet', 'small', 'mt-2 w-full')}
      onClick={() =>
        linkCaller({
          phone,
          name: known?.name ?? account?.name ?? name ?? '',
          point: known?.mapCoordinates ?? null,
          pinSource: known?.pinSource ?? null,
          address: known?.address ?? null,
          parts: known?.addressParts ?? null,
          lines: (known?.cart.items ?? []).map(({ productId, quantity }) => ({ productId, quantity })),
        })
      }
    >
      <ReceiptIcon size={18} aria-hidden="true" />
      {t('inbox.cart.order')}
    </Link>
  )
}
