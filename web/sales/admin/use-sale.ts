import type { Output } from '@qatra/contract/endpoint'
import type { Order } from '@qatra/contract/orders/orders'
import type { Product } from '@qatra/contract/products/products'
import { placeSalesOrder, type SalesCustomer } from '@qatra/contract/sales'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useNameIn } from '../../app/names.ts'
import { addressFieldNames, emptyAddress } from '../../checkout/address-form.ts'
import { companyOf, emptyBuyer } from '../../checkout/BuyerFields.tsx'
import { areaQuery } from '../../checkout/coverage.ts'
import { cacheDays, deliveryDaysQuery } from '../../delivery/days.ts'
import { abortAfter, type CallError, call, detailsOf, isRefusal, PLACING_TIMEOUT_MS } from '../../lib/api-client.ts'
import { isOnline } from '../../lib/connection.ts'
import { useUser } from '../../lib/current-user.ts'
import { useLanguage } from '../../lib/language/i18n.tsx'
import { serverErrors } from '../../ui/form/form-errors.ts'
import { useFormState } from '../../ui/form/use-form.ts'
import { priceFloorsQuery, renewSales } from './api.ts'
import { type Draft, deliverTo, emptyDraft, readDraft, type SaleLine, saveDraft } from './draft.ts'
import { fieldId, focusSoon } from './focus.ts'
import { checked, fieldAtOf, firstField, type Problems, type Shown } from './problems.ts'

export type Placed = Output<typeof placeSalesOrder>

/** State and commands of an order by phone. */
export function useSale() {
  const { t } = useLanguage()
  const nameIn = useNameIn()
  const queries = useQueryClient()
  const userId = useUser()?.id ?? 0
  const form = useFormState<Draft, string>(() => readDraft(userId))
  const { values: draft, setValues: setDraft, errors: problems, setErrors: setProblems } = form
  const [failure, setFailure] = useState<string | null>(null)
  const [placed, setPlaced] = useState<Placed | null>(null)
  const isBusy = useRef(false)
  const [busy, setBusy] = useState(false)

  useEffect(() => saveDraft(userId, placed ? null : draft), [userId, draft, placed])

  function set(...change: Parameters<typeof form.set>) {
    form.set(...change)
    setFailure(null)
  }
  /** Changes fields and clears their errors. */
  const change = (values: Partial<Draft>, ...fields: string[]) => set(() => values, ...fields)

  function changeLine(productId: number, values: Partial<SaleLine>) {
    change(
      { lines: draft.lines.map((line) => (line.productId === productId ? { ...line, ...values } : line)) },
      'items',
    )
  }

  /** Adds a line or finds the existing one, and focuses its quantity. */
  function add(productId: number) {
    const at = draft.lines.findIndex((line) => line.productId === productId)
    if (at < 0) change({ lines: [...draft.lines, lineOf(productId, 1)] }, 'items')
    focusSoon(fieldId(`items.${at < 0 ? draft.lines.length : at}.quantity`))
  }

  const remove = (productId: number) =>
    change({ lines: draft.lines.filter((line) => line.productId !== productId) }, 'items')

  /** Fills in a caller's data; replaces data of another caller. */
  function fillIn(phone: string, customer: SalesCustomer | null) {
    if (draft.filledFor === phone) return
    const isAnother = draft.filledFor !== null
    const blank = isAnother ? { ...emptyAddress, ...emptyBuyer, name: '', places: [] } : {}
    const [last] = customer?.places ?? []
    const known = customer && {
      ...(customer.name ? { name: customer.name } : {}),
      places: customer.places,
      ...companyOf(customer.lastOrder),
      ...(last && (isAnother || draft.point === null) ? deliverTo(last) : {}),
    }
    if (customer || isAnother) change({ ...blank, ...known, filledFor: phone }, 'customerName', ...addressFieldNames)
  }

  /** Copies an order's lines at today's prices; returns the number of unavailable products. */
  function repeat(order: Order, products: ReadonlyMap<number, Product>): number {
    const lines = order.items.flatMap(({ productId, quantity }) =>
      productId !== null && products.has(productId) ? [lineOf(productId, quantity)] : [],
    )
    change({ lines }, 'items')
    return order.items.length - lines.length
  }

  function show(found: Problems) {
    setProblems(found)
    const first = firstField(found)
    if (first) focusSoon(fieldId(first))
  }

  function answerRefusal(error: CallError, { vendor }: Shown) {
    const { code, details } = error
    const { point } = draft
    if (code === 'PRICE_BELOW_FLOOR') void queries.invalidateQueries({ queryKey: priceFloorsQuery().queryKey })
    if (details.fields) {
      setFailure(t('sale.error.fields'))
      return show(serverErrors(details.fields, fieldAtOf(draft)))
    }
    if (code === 'OUTSIDE_SERVICE_AREA' || code === 'VENDOR_DOES_NOT_DELIVER') {
      if (point) void queries.invalidateQueries({ queryKey: areaQuery(point).queryKey })
      const { area } = detailsOf(error, 'VENDOR_DOES_NOT_DELIVER')
      return show({ map: area ? t('sale.refuses', { area: nameIn(area) }) : t('desk.address.outside') })
    }
    if (code === 'ADDRESS_REQUIRED') return show({ map: t('sale.error.address') })
    if (code === 'DATE_CHANGED' || code === 'DATE_NOT_AVAILABLE') {
      cacheDays(queries, deliveryDaysQuery(vendor?.id ?? 0), detailsOf(error, code).days)
      form.set({ day: null })
      return show({ deliveryDate: t('sale.error.day') })
    }
    if (code === 'CUSTOMER_SWITCHED_OFF') return show({ phone: t('sale.error.switchedOff') })
    if (code === 'PRODUCT_UNAVAILABLE') {
      const { products = [] } = detailsOf(error, code)
      return setFailure(t('sale.error.unavailable', { products: products.map(nameIn).join(', ') }))
    }
    setFailure(t(code === 'IDEMPOTENCY_KEY_REUSED' ? 'sale.error.reused' : 'admin.form.error.other'))
  }

  async function place(shown: Shown): Promise<void> {
    if (isBusy.current) return
    const { body, problems: found } = checked(draft, shown, t)
    if (!body) {
      setFailure(t('sale.error.fields'))
      return show(found)
    }
    isBusy.current = true
    setBusy(true)
    setFailure(null)
    try {
      const order = await call(
        placeSalesOrder,
        // Checked above by the endpoint's own shape.
        { body: body as Parameters<typeof call<typeof placeSalesOrder>>[1]['body'] },
        { idempotencyKey: draft.key, signal: abortAfter(PLACING_TIMEOUT_MS) },
      )
      setPlaced(order)
      void renewSales(queries)
    } catch (error) {
      if (isRefusal(error)) answerRefusal(error, shown)
      else setFailure(t(isOnline() ? 'sale.error.unknown' : 'sale.error.offline'))
    } finally {
      isBusy.current = false
      setBusy(false)
    }
  }

  /** An empty draft, or one for this number and what is known of the caller. */
  function startOver(phone = '', known: Partial<Draft> = {}) {
    setDraft({ ...emptyDraft(), ...known, phone })
    setProblems({})
    setFailure(null)
    setPlaced(null)
    focusSoon(fieldId('phone'))
  }

  return {
    draft,
    /** For the fields of the address. */
    form: { ...form, set },
    problems,
    failure,
    busy,
    placed,
    change,
    changeLine,
    add,
    remove,
    fillIn,
    repeat,
    place,
    startOver,
  }
}
export type Sale = ReturnType<typeof useSale>

const lineOf = (productId: number, quantity: number): SaleLine => ({
  productId,
  quantity,
  customPrice: null,
  isPriced: false,
  reason: '',
})
