import { mayOpen } from '@qatra/contract/admin'
import type { ConversationCart } from '@qatra/contract/whatsapp/inbox/cart'
import type { ConversationDetail } from '@qatra/contract/whatsapp/inbox/inbox'
import { Link } from '@tanstack/react-router'
import { useUser } from '../../../lib/current-user.ts'
import { useT } from '../../../lib/language/i18n.tsx'
import { linkCaller } from '../../../sales/admin/linked-caller.ts'
import { ReceiptIcon } from '../../../ui/admin/icons.ts'
import { buttonClass } from '../../../ui/Button.tsx'

interface OrderProps {
  detail: ConversationDetail
  known: ConversationCart | undefined
}

/** Opens the order page filled in with what the conversation knows; the account's own data take precedence there. */
export function OrderForCustomer({ detail, known }: OrderProps) {
  const t = useT()
  const user = useUser()
  const { phone, account, name } = detail
  if (phone === null || !mayOpen('/admin/sales/place-order', user)) return null
  return (
    <Link
      to="/admin/sales/place-order"
      search={{ phone }}
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
