/**
 * Error codes of the API with HTTP status and fixed English message. Pages show their own text by `code`.
 */
export const errors = {
  BAD_REQUEST: [400, 'The request could not be read'],
  INVALID_QUERY: [400, 'A query value is not valid'],
  SIGNED_OUT: [401, 'Please sign in'],
  FORBIDDEN: [403, 'You may not do this'],
  SALES_ONLY: [403, 'Only vendor sales staff may use the sales pages'],
  IMPERSONATING: [403, 'Not allowed while impersonating'],
  IMPERSONATING_FURTHER: [403, 'While impersonating a user only the first pages of a list are shown'],
  VENDOR_ONLY: [403, 'Only vendor staff and admins may use the vendor pages'],
  KEY_INVALID: [401, 'This API key is unknown, expired or revoked'],
  NOT_FOR_KEYS: [403, 'API keys may not call this'],
  KEY_NOT_FOUND: [404, 'There is no such API key'],
  KEYS_FULL: [409, 'At most 50 API keys can be live'],
  HOOK_NOT_FOUND: [404, 'There is no such webhook'],
  HOOKS_FULL: [409, 'At most 10 webhooks can be added'],
  CROSS_ORIGIN: [403, 'This call must come from the shop itself'],
  NOT_FOUND: [404, 'Not found'],
  METHOD_NOT_ALLOWED: [405, 'This method is not offered here'],
  TOO_LARGE: [413, 'The request is too large'],
  UNSUPPORTED_MEDIA_TYPE: [415, 'Send JSON'],
  INVALID_BODY: [422, 'Some fields are not valid'],
  TOO_MANY_REQUESTS: [429, 'Too many requests, please wait'],
  INTERNAL: [500, 'Something went wrong'],
  UNAVAILABLE: [503, 'The service is not available right now'],
  DISK_FULL: [503, 'The service cannot store anything right now'],

  INVALID_CODE: [422, 'The code is invalid or expired'],
  CLAIM_CLOSED: [422, 'This link of the first super admin is not valid any more'],
  PASSKEY_REQUIRED: [403, 'This account signs in with its passkey'],
  PASSKEY_INVALID: [422, 'The passkey was not accepted'],
  PASSKEY_NOT_FOUND: [404, 'Passkey not found'],
  PASSKEYS_FULL: [409, 'At most 10 passkeys can be added'],
  SIGN_IN_OLD: [403, 'Sign in again first'],
  TOO_MANY_TRIES: [429, 'Too many wrong codes, ask for a new one'],
  PHONE_NOT_ALLOWED: [422, 'Codes cannot be sent to this number'],
  CODE_NOT_SENT: [503, 'Could not send verification code'],
  STAFF_PHONE: [422, 'Links are for customers only'],
  LINK_NOT_FOUND: [404, 'Link not found'],
  LINK_CLOSED: [409, 'The link was used or has expired already'],

  PUSH_SERVICE_UNKNOWN: [422, 'Notifications cannot be sent to this address'],

  QUEUE_NOT_FOUND: [404, 'Queue not found'],
  LEGACY_OFF: [409, 'No older system is configured'],

  DAY_TAKEN: [409, 'This day is closed already'],
  DAY_PASSED: [409, 'This day has passed'],
  CASH_DAY_CLOSED: [409, 'The cash of this day is closed'],
  DAY_CLOSED: [409, 'The day of this payment is closed'],
  MORE_THAN_SHORTAGE: [409, 'This is more than the driver is short of'],
  REFUND_LIMIT: [409, 'This is more than you may pay back in a day'],
  DAY_NOT_EXPLAINED: [409, 'The money of the day does not add up'],
  CASH_DAY_OPEN: [409, 'The cash of this day is open'],
  CASH_DAY_INCOMPLETE: [409, 'Something is missing before the day can be closed'],

  USER_NOT_FOUND: [404, 'User not found'],
  ADDRESS_NOT_FOUND: [404, 'This address is not saved'],
  ADDRESS_BOOK_FULL: [409, 'At most 10 addresses can be saved'],
  PHONE_TAKEN: [409, 'This phone is already in use'],
  INVITATION_NOT_FOUND: [404, 'Invitation not found'],
  INVITATION_OPEN: [409, 'This phone has an open invitation already'],
  INVITATION_CLOSED: [409, 'The invitation is closed already'],
  WORKS_ELSEWHERE: [409, 'The person works for another vendor and has to leave it first'],
  SUPER_ADMIN_STAYS: [409, 'A super admin cannot work for a vendor'],
  LAST_SUPER_ADMIN: [409, 'The last super admin stays one'],
  NOT_IMPERSONABLE: [403, 'This person cannot be impersonated'],

  VENDOR_NOT_FOUND: [404, 'Vendor not found'],
  PRODUCT_NOT_FOUND: [404, 'Product not found'],
  AREA_NOT_FOUND: [404, 'No delivery area here'],
  BLOCK_NOT_FOUND: [404, 'Block not found'],

  PRODUCT_EXISTS: [409, 'This vendor has a product of this name and size already'],
  BOTTLE_TYPE_NOT_FOUND: [404, 'Type of bottle not found'],
  BOTTLE_TYPE_EXISTS: [409, 'This vendor has a bottle of this name already'],
  PRODUCT_IN_CARTS: [409, 'The product is in open carts, so its vendor cannot change'],
  PICTURE_REFUSED: [422, 'The picture cannot be used'],
  BULK_REFUSED: [422, 'Upload failed'],
  IMPORT_NOT_FOUND: [404, 'Import not found'],
  IMPORT_UNDONE: [409, 'This import is undone already'],

  CART_VENDOR_CONFLICT: [409, 'Please finish your current order first'],
  CART_ITEM_NOT_FOUND: [404, 'This item is not in the cart'],
  QUANTITY_LIMIT: [409, 'At most 100 of one product'],
  VENDOR_MISMATCH: [422, 'The product belongs to another vendor'],
  NO_PARKED_CART: [404, 'There is no kept cart'],

  CART_EMPTY: [409, 'The cart is empty'],
  PRODUCT_UNAVAILABLE: [409, 'A product in the cart is no longer offered'],
  PRICE_CHANGED: [409, 'Prices have changed'],
  MINIMUM_NOT_MET: [422, 'Minimum Order Not Met'],
  ADDRESS_REQUIRED: [422, 'Please select your delivery address on the map'],
  OUTSIDE_SERVICE_AREA: [422, 'Location outside service area'],
  VENDOR_DOES_NOT_DELIVER: [422, 'The vendor does not deliver to this area'],
  PAYMENT_METHOD_NOT_OFFERED: [422, 'Only cash on delivery is offered'],
  DATE_CHANGED: [409, 'The delivery day has changed'],
  DATE_NOT_AVAILABLE: [422, 'There is no delivery on this day'],
  IDEMPOTENCY_KEY_REUSED: [422, 'This key was used for another order'],

  RECEIPT_NOT_READY: [409, 'The receipt comes with the delivery'],
  ORDER_EMPTY: [422, 'An order must have at least one item'],
  CUSTOMER_NOT_FOUND: [404, 'Customer not found'],
  PRICE_BELOW_FLOOR: [422, 'The price is below what the vendor allows'],
  CUSTOMER_SWITCHED_OFF: [422, 'This account is switched off'],

  ORDER_NOT_FOUND: [404, 'Order Not Found'],
  CANCELLATION_CLOSED: [409, 'This order can no longer be cancelled'],
  RESCHEDULE_CLOSED: [409, 'The delivery day can no longer be changed'],
  RATING_CLOSED: [409, 'This delivery can no longer be rated'],
  EDIT_CLOSED: [409, 'Items and address of this order can no longer be changed'],
  ILLEGAL_TRANSITION: [409, 'The order cannot move to this status'],
  VERSION_CONFLICT: [409, 'Somebody else changed this first'],
  ORDERS_ON_THE_WAY: [409, 'Orders are out for delivery; the account can be erased once they are delivered'],
  VIEW_NOT_FOUND: [404, 'This view is not saved'],
  VIEW_NAME_TAKEN: [409, 'A saved view has this name'],
  VIEWS_FULL: [409, 'At most 20 views can be saved'],
  ORDER_NOT_DELIVERED: [409, 'Only delivered orders can be ordered again'],
  ORDER_CLOSED: [409, 'A delivered or cancelled order stays as it is'],
  NOTHING_DELIVERED: [422, 'A delivery hands over something; without it report a failed attempt'],
  MORE_THAN_DUE: [409, 'Money was recorded for this delivery already, and this is more than is due'],
  MORE_THAN_VAN: [409, 'This is more than the van has left'],
  VAN_COUNTED: [409, 'Somebody else has counted this van otherwise'],
  DELIVERED_OTHERWISE: [409, 'This order was delivered already, with other quantities or bottles'],
  NO_BOTTLES: [409, 'You have no bottles of this vendor'],
  VISIT_NOT_FOUND: [404, 'Visit not found'],
  VISIT_EXISTS: [409, 'The customer has an open visit of this kind at this address'],
  VISIT_DONE: [409, 'This visit is done; what it booked can be taken back'],
  VISIT_ON_THE_WAY: [409, 'The driver is on the way to this visit'],
  DRIVER_NOT_FOUND: [404, 'Driver not found'],
  STOP_UNKNOWN: [422, 'An order is not on this run'],
  ORDER_WITHOUT_DRIVER: [409, 'The order has no driver, so no driver can hold its cash'],
  DRIVER_NOT_AVAILABLE: [422, 'This is no active driver of the vendor'],
  CUSTOMER_NOT_REACHABLE: [422, 'This customer cannot be reached'],
  CONTACT_NOT_FOUND: [404, 'There is no contact with this number or id'],
  CONVERSATION_TAKEN: [409, 'Somebody else has taken this conversation'],
  CONVERSATION_ANSWERED: [409, 'A colleague has answered meanwhile'],
  CONVERSATION_CHANGED: [409, 'The customer has written meanwhile'],
  SNOOZE_NOT_AVAILABLE: [422, 'A conversation is put aside until a time within the next 30 days'],
  LABELS_FULL: [422, 'A conversation has at most 6 labels'],
  SERVICE_WINDOW_CLOSED: [422, 'More than 24 hours have passed since the customer wrote: only a template may be sent'],
  MESSAGE_REFUSED: [422, 'This message cannot be sent'],
  FILE_REFUSED: [422, 'This file cannot be sent'],
  FILE_GONE: [422, 'The uploaded file was deleted; upload it again'],
  MESSAGE_NOT_FOUND: [404, 'Message not found'],
  MESSAGE_NOT_FAILED: [409, 'Only a message that certainly failed can be sent again'],
  CONTACT_OPTED_OUT: [422, 'This person wants no messages that they did not ask for'],
  PHONE_NOT_REACHED: [422, 'WhatsApp is not used with this number'],
  TEMPLATE_NOT_AVAILABLE: [422, 'This template cannot be sent as it is filled in'],
  TEMPLATE_NOT_MARKETING: [422, 'A campaign is sent with a marketing template'],
  NOT_CLOUD_API: [409, 'WhatsApp is not connected through the Cloud API'],
  META_REFUSED: [422, 'Meta refused it'],
  TEMPLATE_NOT_FOUND: [404, 'Template not found'],
  TEMPLATE_EXISTS: [409, 'There is a template of this name in this language'],
  TEMPLATE_FIXED: [409, 'This template cannot be changed now'],
  TEMPLATE_RULES: [422, 'The template breaks a rule'],
  WHATSAPP_KEYS_FROM_SERVER: [409, 'This is set in the environment of the server'],
  WHATSAPP_KEYS_REFUSED: [422, 'Meta does not accept these keys'],
  TEMPLATES_NOT_SYNCED: [503, 'The provider did not tell its templates'],
  CAMPAIGN_NOT_FOUND: [404, 'Campaign not found'],
  CAMPAIGN_STATE: [409, 'The campaign is past this'],
  CAMPAIGN_CONSENT_MISSING: [422, 'Declare first that the people of the list agreed to messages'],
  CAMPAIGN_EMPTY: [422, 'No recipients are left'],
  CAMPAIGN_VARIABLES_MISSING: [422, 'Some values of the template are missing'],
  SHORTCUT_TAKEN: [409, 'Another canned reply has this short name'],
  CANNED_REPLY_NOT_FOUND: [404, 'Canned reply not found'],
  ANSWER_NOT_FOUND: [404, 'Answer not found'],
  ANSWER_FACT: [422, 'A fact in braces cannot be used in this answer or has no value'],
  ANSWERS_FULL: [409, 'At most 100 answers can be added'],
  ALIAS_REFUSED: [409, 'This name already means something else'],
  ALIAS_TARGET_NOT_FOUND: [404, 'What this name should mean was not found'],
  ALIAS_NOT_FOUND: [404, 'Name not found'],
  ALIASES_FULL: [409, 'At most 2000 names can be added'],
  MISS_NOT_FOUND: [404, 'No such message is on the list'],
  NOTHING_TO_RESET: [409, 'Only a linked device can be reset'],
  WEBHOOK_EVENT_NOT_FOUND: [404, 'Webhook event not found'],
  BAD_SIGNATURE: [401, 'Not signed'],
  TELEGRAM_OFF: [409, 'The shop has no Telegram bot'],
  TOPIC_NOT_FOUND: [404, 'There is no such topic in the simulated group'],
  TOPIC_CLOSED: [409, 'The topic is closed'],

  REORDER_FAILED: [409, 'Failed to reorder items'],
} as const satisfies Record<string, readonly [status: number, message: string]>

export type ErrorCode = keyof typeof errors
export const statusOf = (code: ErrorCode): number => errors[code][0]
export const messageOf = (code: ErrorCode): string => errors[code][1]

interface Named {
  name: string
  nameAr: string | null
}

/** What `details` has beyond `fields`, for the codes whose details a page reads. */
export interface ErrorDetails {
  PHONE_NOT_ALLOWED: { byMessage?: boolean }
  TOO_MANY_REQUESTS: { codeMayArrive?: boolean; retryAfter?: number }
  PHONE_TAKEN: { userId?: number }
  MINIMUM_NOT_MET: { required: number; remaining: number; subtotal: number }
  PRODUCT_UNAVAILABLE: { products?: readonly Named[]; cart?: unknown }
  PRICE_CHANGED: { cart?: unknown }
  VENDOR_DOES_NOT_DELIVER: { vendor: Named; area: Named; vendors: readonly Named[] }
  DATE_CHANGED: { promisedDate: string; days: readonly string[] }
  DATE_NOT_AVAILABLE: { days?: readonly string[] }
  VISIT_EXISTS: { id?: number; date?: string }
  RESCHEDULE_CLOSED: { status: string; mostMoves?: number }
  EDIT_CLOSED: {
    status?: string
    paymentStatus?: string | null
    hasReceipt?: boolean
    mostEdits?: number
    /** Their price was agreed by the staff. */
    products?: readonly unknown[]
  }
  META_REFUSED: { reason: string | null }
  TEMPLATE_RULES: { problems: Readonly<Record<string, string | undefined>> }
  TEMPLATE_FIXED: { reason: string }
  WHATSAPP_KEYS_REFUSED: { problems: readonly { name: string; problem: string; detail: string | null }[] }
  CONVERSATION_TAKEN: { name: string | null }
  CONVERSATION_ANSWERED: { name: string | null }
}

export type DetailsOf<Code extends ErrorCode> = { fields?: Record<string, string> } & (Code extends keyof ErrorDetails
  ? ErrorDetails[Code]
  : Record<string, unknown>)

/** Body of every error response. `details.fields` is in the language of the request, the rest is data. */
export interface ErrorResponse {
  code: ErrorCode
  message: string
  details: { fields?: Record<string, string> } & Record<string, unknown>
}
