import { slotOf } from '@qatra/contract/calendar/slot'
import { formatMoney, fromBhd } from '@qatra/contract/lib/money'
import { changeFrom } from '@qatra/contract/orders/buyer'
import type { Order } from '@qatra/contract/orders/orders'
import { silhouetteOf } from '@qatra/contract/products/sizes'
import { updateProfile } from '@qatra/contract/users/auth'
import { getRhythm } from '@qatra/contract/users/customers'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { useInLang } from '../app/names.ts'
import type { Page } from '../app/page.ts'
import { requireUser } from '../app/session/session.ts'
import { SumLines } from '../cart/CartSums.tsx'
import { useDayWords } from '../delivery/day-words.ts'
import { call, read } from '../lib/api-client.ts'
import { currentUser, useUser } from '../lib/current-user.ts'
import { useLanguage } from '../lib/language/i18n.tsx'
import { localStore } from '../lib/site-data.ts'
import { useAction } from '../lib/use-action.ts'
import { InstallHint } from '../push/InstallHint.tsx'
import { PushChoice } from '../push/PushChoice.tsx'
import { OrderId } from '../ui/Bidi.tsx'
import { Bottles } from '../ui/Bottle.tsx'
import { Button, buttonClass } from '../ui/Button.tsx'
import { classes } from '../ui/class-names.ts'
import { CashIcon, CheckIcon, type Icon, TruckIcon } from '../ui/icons.tsx'
import { Wave } from '../ui/Wave.tsx'
import { ContactButtons } from '../vendors/ContactButtons.tsx'
import { orderQuery } from './api.ts'
import { CancelLine } from './editing/CancelBox.tsx'
import { CalendarLink } from './editing/ChangeDay.tsx'
import { vendorOf } from './OrderCard.tsx'
import { OrderLines } from './OrderLines.tsx'
import { missingOrder } from './OrderNotFound.tsx'
import { actRow, besideBoth, twoColumns } from './page-layout.ts'

function SuccessPage() {
  const { orderId = '' } = useParams({ strict: false })
  const { data: order } = useQuery({ ...orderQuery(orderId), retryOnMount: false })
  return order ? <Placed order={order} /> : null
}

/** Pictures in the panel: one for each item, or two of a single one. */
const MOST_PICTURES = 3

function Placed({ order }: { order: Order }) {
  const { t } = useLanguage()
  const vendorName = useInLang()(order.vendorName, order.vendorNameAr)
  return (
    <main id="main" className="wrap pb-8 max-lg:max-w-190 md:pt-6">
      <div className={twoColumns}>
        <PlacedPanel order={order} />
        <Band className={`${besideBoth} lg:pt-2`}>
          <div className="mb-1 flex flex-wrap items-baseline justify-between gap-x-3">
            <h2 className="text-heading">{t('success.ordered', { vendor: vendorName })}</h2>
            <p className="text-label text-ink-3">
              <span className="sr-only">{t('order.id')}: </span>
              <OrderId id={order.id} />
            </p>
          </div>
          <OrderLines order={order} />
          <div className="mt-2.5 border-t border-line pt-2.5">
            <SumLines sums={order} order={order} />
          </div>
        </Band>
        <div>
          <Band title={t('success.next')}>
            <NextSteps order={order} vendorName={vendorName} />
          </Band>
          <AfterOrder />
          <Band>
            <div className={`no-print ${actRow}`}>
              <Link to="/orders/$id" params={{ id: order.id }} className={buttonClass('aqua', 'big', 'basis-full!')}>
                {t('success.view')}
              </Link>
              <CalendarLink order={order} className={buttonClass('quiet')} />
              <Link to="/" className={buttonClass('quiet')}>
                {t('success.shop')}
              </Link>
            </div>
            <CancelLine order={order} />
            <div className="no-print mt-4 grid justify-items-center gap-2">
              <p className="text-label text-ink-3">{t('order.ask')}</p>
              <ContactButtons vendor={vendorOf(order)} text={t('order.askText', { id: order.id })} isQuiet />
            </div>
          </Band>
        </div>
      </div>
    </main>
  )
}

function PlacedPanel({ order }: { order: Order }) {
  const { t } = useLanguage()
  const dayWords = useDayWords()
  const area = useInLang()(order.areaName, order.areaNameAr)
  const [only, ...others] = order.items
  const pictures = only && others.length === 0 && only.quantity > 1 ? [only, { ...only, id: 0 }] : order.items
  return (
    <section className="deep relative overflow-hidden rounded-l px-5 pt-5 pb-44 print:pb-4 print:[&_*]:text-ink">
      <p className="flex items-center gap-3">
        <span className="grid size-12 place-items-center rounded-full bg-aqua text-on-aqua">
          <CheckIcon size={26} aria-hidden="true" />
        </span>
        {t('success.received')}
      </p>
      <h1 className="mt-4 text-display text-balance">
        {t('success.thanksAll')}{' '}
        <span className="block text-on-deep-aqua">{t('success.arrives', { day: dayWords(slotOf(order)) })}</span>
      </h1>
      {area && <p className="mt-1 text-on-gulf-2">{t('success.place', { area })}</p>}
      <div
        aria-hidden="true"
        className="no-print sea-rises absolute inset-x-0 -bottom-1 flex items-end justify-center *:not-first:-ms-2"
      >
        {pictures.slice(0, MOST_PICTURES).map(({ id, size }) => (
          <Bottles key={id} size={size} tint={order.vendorTint} height={silhouetteOf(size) === 'b-5g' ? 150 : 112} />
        ))}
      </div>
      <div className="no-print">
        <Wave height={42} />
      </div>
    </section>
  )
}

function NextSteps({ order, vendorName }: { order: Order; vendorName: string }) {
  const { t, lang } = useLanguage()
  const dayWords = useDayWords()
  const money = (bhd: number) => formatMoney(fromBhd(bhd), lang)
  const change = changeFrom(order.payingWith, order.cashDue)
  const steps: { Sign: Icon; title: string; text: string }[] = [
    { Sign: CheckIcon, title: t('success.confirm', { vendor: vendorName }), text: t('success.confirmText') },
    {
      Sign: TruckIcon,
      title: t('success.deliver', { day: dayWords(slotOf(order)) }),
      text: t('success.deliverText'),
    },
    {
      Sign: CashIcon,
      title: t('success.pay'),
      text:
        change > 0
          ? t('order.change', { notes: money(order.payingWith ?? 0), amount: money(change) })
          : t('success.payText', { amount: money(order.total) }),
    },
  ]
  return (
    <ol>
      {steps.map(({ Sign, title, text }, at) => (
        <li key={title} className="relative grid grid-cols-[44px_minmax(0,1fr)] gap-x-3 pb-4 last:pb-0">
          {at < steps.length - 1 && (
            <span aria-hidden="true" className="absolute start-5.25 top-11 bottom-0 w-0.5 bg-well-2" />
          )}
          <span className="grid size-11 place-items-center rounded-full bg-well text-gulf">
            <Sign size={20} aria-hidden="true" />
          </span>
          <span>
            <b className="block">{title}</b>
            <span className="block text-label text-ink-3">{text}</span>
          </span>
        </li>
      ))}
    </ol>
  )
}

/** Offers that only make sense once there is an order; empty bands take no room. */
function AfterOrder() {
  return (
    <div className="no-print contents *:-mx-4 *:border-b-8 *:border-well *:px-4 *:py-5 md:*:mx-0 md:*:border-b md:*:border-line md:*:px-0">
      <PushChoice />
      <RemindMe />
      <InstallHint />
    </div>
  )
}

/** Set once the offer has been answered on this device. */
const ANSWERED = 'reminder-answered'

/** Offers the reminder of the next order once, where the usual interval is known. */
function RemindMe() {
  const { t } = useLanguage()
  const user = useUser()
  const queries = useQueryClient()
  // As on the server, until the page has read the store.
  const [isOpen, setOpen] = useState(false)
  useEffect(() => setOpen(localStore.getItem(ANSWERED) === null), [])
  const [isOn, setOn] = useState(false)
  const mayAsk = isOpen && user !== null && user.impersonatedBy === null && (!user.reminders || isOn)
  const { data } = useQuery({ ...read(getRhythm), enabled: mayAsk })
  const { busy, problem, run } = useAction(() => t('success.remindFailed'))
  if (!mayAsk || !data?.usualDays) return null
  const accept = () =>
    run(async () => {
      const saved = await call(updateProfile, { body: { reminders: true } })
      localStore.setItem(ANSWERED, '1')
      setOn(true)
      queries.setQueryData(currentUser().queryKey, saved)
    })
  return (
    <section>
      <h2 className="text-heading">{t('success.remind')}</h2>
      <p role="status" className="text-label text-ink-3">
        {isOn ? t('success.remindOn') : t('success.remindText', { count: data.usualDays })}
      </p>
      {!isOn && (
        <div className="mt-2.5 flex flex-wrap gap-2.5">
          <Button tone="gulf" busy={busy} onClick={() => void accept()}>
            {t('success.remindDo')}
          </Button>
          <Button
            tone="quiet"
            onClick={() => {
              localStore.setItem(ANSWERED, '1')
              setOpen(false)
            }}
          >
            {t('success.remindNo')}
          </Button>
        </div>
      )}
      <p role="alert" className="mt-1.5 text-label text-clay empty:hidden">
        {problem}
      </p>
    </section>
  )
}

function Band({ title, className, children }: { title?: string; className?: string; children: ReactNode }) {
  return (
    <section
      className={classes(
        '-mx-4 border-b-8 border-well px-4 py-5 last:border-0 md:mx-0 md:border-b md:border-line md:px-0',
        className,
      )}
    >
      {title && <h2 className="mb-3.5 text-heading">{title}</h2>}
      {children}
    </section>
  )
}

export const page: Page = {
  Component: SuccessPage,
  load: async (request) => {
    await requireUser(request)
    await request.queries.fetchQuery(orderQuery(request.params['orderId'] ?? ''))
  },
  head: ({ t }) => ({ title: t('shell.title.success'), hidden: true }),
  missing: missingOrder,
}
