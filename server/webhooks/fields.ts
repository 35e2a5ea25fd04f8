import type { WebhookEventType } from '@qatra/contract/whatsapp/connection/webhooks'

/** Messages of the shop's own phone, beside this system. */
export const ECHOES = 'smb_message_echoes'

/** Fields of changes that the provider reports, by what they are about. */
export const personFields = ['user_preferences', 'user_id_update'] as const
export const templateFields = [
  'message_template_status_update',
  'message_template_quality_update',
  'template_category_update',
] as const
export const accountFields = [
  'account_update',
  'account_alerts',
  'account_review_update',
  'business_capability_update',
  'phone_number_quality_update',
  'phone_number_name_update',
] as const

/**
 * Fields that the shop reads and subscribes. Not `history` and `smb_app_state_sync`, which copy earlier chats and the
 * contacts of the shop's phone: people who have not written to the shop.
 */
export const webhookFields = ['messages', ECHOES, ...personFields, ...templateFields, ...accountFields] as const

const types: readonly (readonly [WebhookEventType, readonly string[]])[] = [
  ['preference', ['user_preferences']],
  ['user_id', ['user_id_update']],
  ['template', templateFields],
  // `security` is stored only.
  ['account', [...accountFields, 'security']],
]
/** Type of the event of a change; `messages` has several. */
export const typeOfField = (field: string | null): WebhookEventType =>
  types.find(([, fields]) => fields.some((one) => one === field))?.[0] ?? 'unknown'
