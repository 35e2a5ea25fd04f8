import type { PartName } from '@qatra/contract/users/address-parts'
import { checkoutDraftKey } from '../app/session/personal-storage.ts'
import { tabStore } from '../lib/site-data.ts'
import type { CheckoutForm } from './form.ts'

/** An unfinished form, with the address parts typed by hand. */
export interface CheckoutDraft<Typed = readonly PartName[]> {
  form: CheckoutForm
  typed: Typed
}

/** This person's draft in this tab; null if there is none. */
export function readDraft(userId: number): CheckoutDraft | null {
  const stored = tabStore.readJson(checkoutDraftKey + userId)
  return isDraft(stored) ? stored : null
}

/** Null deletes the draft, after the order is placed. */
export function saveDraft(userId: number, draft: CheckoutDraft | null) {
  if (draft) tabStore.setItem(checkoutDraftKey + userId, JSON.stringify(draft))
  else tabStore.removeItem(checkoutDraftKey + userId)
}

/** An older version of the page may have stored another shape. */
function isDraft(stored: unknown): stored is CheckoutDraft {
  const { form, typed } = (stored ?? {}) as Partial<CheckoutDraft>
  const texts = [form?.customerName, form?.instructions, ...Object.values(form?.parts ?? { none: null })]
  return Array.isArray(typed) && form?.pin !== undefined && texts.every((text) => typeof text === 'string')
}
