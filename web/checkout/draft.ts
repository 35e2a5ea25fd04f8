import { checkoutDraftKey } from '../app/kept-page.ts'
import { tabStore } from '../app/site-data.ts'
import type { PartName } from './address.ts'
import type { CheckoutForm } from './form.ts'

/** A form that was begun, with the parts that were written by hand. */
export interface CheckoutDraft {
  form: CheckoutForm
  typed: readonly PartName[]
}

/** What this person wrote in this tab before a reload; null where nothing is kept. */
export function keptDraft(userId: number): CheckoutDraft | null {
  const kept = tabStore.readJson(checkoutDraftKey + userId)
  return isDraft(kept) ? kept : null
}

/** Null forgets it, once the order is placed. */
export function keepDraft(userId: number, draft: CheckoutDraft | null) {
  if (draft) tabStore.setItem(checkoutDraftKey + userId, JSON.stringify(draft))
  else tabStore.removeItem(checkoutDraftKey + userId)
}

/** Written above by this version of the page, or by an older one with another shape. */
function isDraft(kept: unknown): kept is CheckoutDraft {
  const { form, typed } = (kept ?? {}) as Partial<CheckoutDraft>
  const texts = [form?.customerName, form?.instructions, ...Object.values(form?.parts ?? { none: null })]
  return Array.isArray(typed) && texts.every((text) => typeof text === 'string')
}
