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
