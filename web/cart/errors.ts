import { CallError } from '../lib/api-client.ts'
import type { MessageKey, Translate } from '../lib/language/i18n.tsx'
import { toast } from '../ui/Toast.tsx'
import type { CartAction } from './sync.ts'

const titles: Record<CartAction | 'clear' | 'switch' | 'restore', MessageKey> = {
  add: 'cart.error.add',
  update: 'cart.error.update',
  remove: 'cart.error.remove',
  clear: 'cart.error.clear',
  switch: 'cart.error.switch',
  restore: 'cart.error.restore',
}

const reasons: Partial<Record<CallError['code'], MessageKey>> = {
  CART_VENDOR_CONFLICT: 'cart.error.vendor',
  PRODUCT_NOT_FOUND: 'cart.error.product',
  QUANTITY_LIMIT: 'cart.error.limit',
  OFFLINE: 'cart.error.offline',
}

/** Shows which action failed and, if known, why. */
export function showCartError(error: unknown, action: keyof typeof titles, t: Translate) {
  const reason = error instanceof CallError ? reasons[error.code] : undefined
  toast({ title: t(titles[action]), tone: 'error', ...(reason ? { text: t(reason) } : {}) })
}
