import { CallError } from '../lib/api-client.ts'
import type { MessageKey, Translate } from '../lib/language/i18n.tsx'
import { ownRefusalText } from '../lib/refusal.ts'
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

/** Shows which action failed and, if known, why. */
export function showCartError(error: unknown, action: keyof typeof titles, t: Translate) {
  const reason = error instanceof CallError && ownRefusalText(t, error, 'cart')
  toast({ title: t(titles[action]), tone: 'error', ...(reason ? { text: reason } : {}) })
}
