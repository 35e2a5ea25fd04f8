import type { PartName } from '@qatra/contract/users/address-parts'
import { listAddresses } from '@qatra/contract/users/addresses'
import type { User } from '@qatra/contract/users/auth'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import { useChosenArea } from '../app/delivery-area.ts'
import { read } from '../lib/api-client.ts'
import { useUser } from '../lib/current-user.ts'
import { useT } from '../lib/language/i18n.tsx'
import { useFormState } from '../ui/form/use-form.ts'
import { startAddress } from './address-form.ts'
import { type BuyerForm, companyOf, emptyBuyer } from './BuyerFields.tsx'
import { type CheckoutDraft, readDraft, saveDraft } from './draft.ts'
import { type CheckoutForm, type FieldName, type Problems, problemsOf } from './form.ts'
import { useAddressForm } from './use-address-form.ts'

/** Values of the form, coverage and address of the location, and validation errors. */
export function useCheckoutForm(vendorId: number | null) {
  const t = useT()
  const user = useUser()
  const chosenArea = useChosenArea()
  const { data: book = [] } = useQuery(read(listAddresses))
  const state = useFormState<CheckoutForm, FieldName>(() => ({
    ...startAddress(user, book, chosenArea),
    customerName: user?.name ?? '',
    ...emptyBuyer,
    ...companyOf(user),
    deliveryDate: null,
  }))
  const { values: form, errors: problems, setErrors: setProblems, set } = state
  const place = useAddressForm(state, { vendorId, audience: 'customer' })
  useDraft(user, { form, typed: place.typed.current }, (draft) => {
    // An older version of the page stored fewer fields.
    state.setValues({ ...form, ...draft.form })
    place.setTyped(draft.typed)
  })

  return {
    place,
    form,
    book,
    problems,
    /** The account has a name, so that it needs no field. */
    isNamed: Boolean(user?.name),
    setName: (customerName: string) => set({ customerName }),
    /** The facts of a company and the change. */
    buyer: {
      form,
      problems,
      idOf: (name: FieldName) => `checkout-${name}`,
      change: (values: Partial<BuyerForm>) => set(values),
    },
    /** Null returns to the promised day. */
    setDay: (deliveryDate: string | null) => set({ deliveryDate }),
    setProblems,
    check: (): Problems => problemsOf(form, place, t),
  }
}

/** Stores the draft and restores it after hydration; the server renders the form without it. */
function useDraft(
  user: User | null,
  draft: CheckoutDraft<ReadonlySet<PartName>>,
  restore: (draft: CheckoutDraft) => void,
) {
  const text = JSON.stringify(draft.form)
  const first = useRef(text)
  const userId = user === null || user.impersonatedBy ? null : user.id
  const restoreSaved = useEffectEvent((id: number) => {
    const saved = readDraft(id)
    if (saved) restore(saved)
  })
  const keep = useEffectEvent((id: number) => saveDraft(id, { form: draft.form, typed: [...draft.typed] }))
  useEffect(() => {
    if (userId !== null) restoreSaved(userId)
  }, [userId])
  useEffect(() => {
    if (userId !== null && text !== first.current) keep(userId)
  }, [userId, text])
}

export type CheckoutFormState = ReturnType<typeof useCheckoutForm>
