import {
  type ConversationCart,
  changeConversationCart,
  sendConversationCart,
} from '@qatra/contract/whatsapp/inbox/cart'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { CallError, call } from '../../../lib/api-client.ts'
import { useT } from '../../../lib/language/i18n.tsx'
import { refusalText } from '../../../lib/refusal.ts'
import { useAction } from '../../../lib/use-action.ts'
import { toast } from '../../../ui/Toast.tsx'
import { cartQuery, renewDetail } from '../inbox/inbox-cache.ts'

/** What the bot asked the customer for. */
function askedFor({ isAwaitingYes, minimumLeft, address }: ConversationCart) {
  if (isAwaitingYes) return 'inbox.cart.sent'
  return minimumLeft === 0 && address === null ? 'inbox.cart.asked.address' : 'inbox.cart.asked.missing'
}

/** The live cart of a customer with its changes, which are sent one after the other. */
export function useCustomerCart(contactId: number) {
  const t = useT()
  const queries = useQueryClient()
  const query = cartQuery(contactId)
  const { data, error, refetch } = useQuery(query)
  const params = { contact: String(contactId) }
  /** Quantities that the server has not stored yet, by item. */
  const wanted = useRef(new Map<number, number>())
  const last = useRef<Promise<unknown>>(Promise.resolve())
  const [, redraw] = useState(0)
  const sending = useAction((error) => refusalText(t, error, 'inbox'))

  async function store(itemId: number, quantity: number) {
    // A later change of the item replaces this one.
    if (wanted.current.get(itemId) !== quantity) return
    try {
      const answer = await call(changeConversationCart, {
        params: { ...params, itemId: String(itemId) },
        body: { quantity },
      })
      queries.setQueryData(query.queryKey, answer)
    } catch (problem) {
      if (!(problem instanceof CallError)) throw problem
      toast({ title: t('inbox.notDone'), text: refusalText(t, problem, 'inbox'), tone: 'error' })
      void refetch()
    } finally {
      if (wanted.current.get(itemId) === quantity) wanted.current.delete(itemId)
      redraw((count) => count + 1)
    }
  }
  return {
    data,
    error,
    refetch,
    busy: sending.busy,
    problem: sending.problem,
    quantityOf: (item: { id: number; quantity: number }) => wanted.current.get(item.id) ?? item.quantity,
    setQuantity(itemId: number, quantity: number) {
      wanted.current.set(itemId, quantity)
      redraw((count) => count + 1)
      last.current = last.current.then(() => store(itemId, quantity))
    },
    send: () =>
      sending.run(async () => {
        await last.current
        const answer = await call(sendConversationCart, { params })
        queries.setQueryData(query.queryKey, answer)
        toast({ title: t(askedFor(answer)) })
        void renewDetail(queries, contactId)
      }),
  }
}
