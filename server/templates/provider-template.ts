import type { Asked } from '../providers/whatsapp-cloud/asked.ts'

/** A template as the provider returns it. */
export interface ProviderTemplate {
  providerId: string | null
  name: string
  language: string
  category: string
  status: string
  components: Record<string, unknown>[]
  quality: string | null
  rejectedReason: string | null
}

/** Of a template that was just created. */
export interface Submitted {
  id: string
  status: string
  category: string
}

/** Meta's subcode for a name and language that the account has already. */
const EXISTS = 2_388_024
export const isExisting = (answer: Asked<unknown>): boolean => answer.kind === 'refused' && answer.subcode === EXISTS
