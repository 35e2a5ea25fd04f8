import type { Asked } from '../providers/whatsapp-cloud/asked.ts'

/** What Meta answered about the account at one time. */
export interface AccountFacts {
  token: Asked<{ appId: string | null; isValid: boolean; expiresAt: string | null; scopes: string[] }>
  number: Asked<{ phone: string; name: string | null; status: string | null }>
  /** Of the number; undefined in answers that an older version stored. */
  rating?: Asked<{ quality: string | null; tier: string | null }> | undefined
  account: Asked<{ name: string | null; review: string | null; business: string | null }>
  /** Null where the app has no webhook for WhatsApp. */
  webhook: Asked<{ address: string; isActive: boolean; fields: string[] } | null>
  subscription: Asked<{ isSubscribed: boolean }>
}
