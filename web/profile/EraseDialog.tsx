import { slotOf, slotWords } from '@qatra/contract/calendar/slot'
import type { Order } from '@qatra/contract/orders/orders'
import { eraseAccount } from '@qatra/contract/users/auth'
import { useQuery } from '@tanstack/react-query'
import { useInLang } from '../app/names.ts'
import { useSignOut } from '../app/session/sign-out.ts'
import { call } from '../lib/api-client.ts'
import { useLanguage, useT } from '../lib/language/i18n.tsx'
import { openOrdersQuery } from '../orders/api.ts'
import { Money, OrderId } from '../ui/Bidi.tsx'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { TextField } from '../ui/Field.tsx'
import { useForm } from '../ui/form/use-form.ts'
import { Skeleton } from '../ui/Skeleton.tsx'

const isTyped = (typed: string, word: string) => typed.trim().toLowerCase() === word.toLowerCase()

/** Lists the open orders that will be cancelled; blocks the confirmation while an order is on its way. */
export function EraseDialog({ onClose }: { onClose(): void }) {
  const t = useT()
  const leave = useSignOut()
  const { data: open, isFetching, isError, refetch } = useQuery(openOrdersQuery())
  const word = t('profile.erase.word')
  const onTheWay = open?.items.filter(({ status }) => status === 'shipped') ?? []
  const isReady = open !== undefined && !isFetching && !isError && onTheWay.length === 0

  const form = useForm({
    body: undefined,
    start: { typed: '' },
    toBody: () => undefined,
    check: ({ typed }) => (isTyped(typed, word) ? {} : { typed: t('profile.erase.mistyped', { word }) }),
    send: () => call(eraseAccount, {}),
    onSaved: () => leave({ title: t('profile.erased'), text: t('profile.erasedText') }),
    invalid: '',
    failed: () => t('profile.erase.failed'),
    failureOf({ code }) {
      // An order was shipped in the meantime: refetch the list, which shows it.
      if (code === 'ORDERS_ON_THE_WAY') void refetch()
      return null
    },
  })

  function openOrders() {
    if (isFetching) return <Skeleton className="mt-3 h-16" />
    if (isError || !open) {
      return (
        <div role="alert" className="mt-3 grid justify-items-start gap-2 text-clay">
          <p>{t('profile.erase.ordersMissing')}</p>
          <Button tone="quiet" onClick={() => void refetch()}>
            {t('shell.error.retry')}
          </Button>
        </div>
      )
    }
    if (onTheWay.length > 0) {
      return (
        <div role="alert">
          <OpenOrders title={t('profile.erase.onTheWay', { count: onTheWay.length })} orders={onTheWay} />
        </div>
      )
    }
    if (open.total === 0) return null
    return (
      <OpenOrders
        title={t('profile.erase.cancels', { count: open.total })}
        orders={open.items}
        more={open.total - open.items.length}
      />
    )
  }
  return (
    <Dialog
      open
      title={t('profile.erase.title')}
      safe={{ label: t('profile.erase.keep'), onChoose: onClose }}
      {...(isReady && {
        action: {
          label: t('profile.erase.act'),
          tone: 'danger',
          busy: form.busy,
          onChoose: () => void form.submit(),
        },
      })}
    >
      <p>{t('profile.erase.gone')}</p>
      <p className="mt-1.5">{t('profile.erase.stays')}</p>
      <div aria-busy={isFetching}>{openOrders()}</div>
      {isReady && (
        <form {...form.props}>
          <TextField
            className="mt-3.5 text-ink"
            label={t('profile.erase.type', { word })}
            autoComplete="off"
            autoCapitalize="none"
            {...form.text('typed')}
            error={form.errors.typed ?? form.failure}
          />
        </form>
      )}
    </Dialog>
  )
}

/** Orders with vendor, day, amount and id, in a list of limited height. */
function OpenOrders({ title, orders, more = 0 }: { title: string; orders: readonly Order[]; more?: number }) {
  const { t, lang } = useLanguage()
  const inLang = useInLang()
  return (
    <div className="mt-3 rounded-m bg-well px-3 py-2.5 text-ink">
      <p className="font-strong">{title}</p>
      <ul className="mt-1.5 grid max-h-44 gap-2 overflow-y-auto">
        {orders.map((order) => (
          <li key={order.id}>
            <div className="flex items-baseline justify-between gap-3">
              <span dir="auto" className="min-w-0 text-start">
                {inLang(order.vendorName, order.vendorNameAr)}
              </span>
              <Money bhd={order.total} className="whitespace-nowrap" />
            </div>
            <div className="flex flex-wrap items-baseline justify-between gap-x-3 text-label text-ink-3">
              <time dateTime={order.promisedDate}>{slotWords(slotOf(order), lang, 'long')}</time>
              <OrderId id={order.id} />
            </div>
          </li>
        ))}
        {more > 0 && <li className="text-label text-ink-3">{t('profile.erase.more', { count: more })}</li>}
      </ul>
    </div>
  )
}
