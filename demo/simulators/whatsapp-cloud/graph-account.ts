import type { SentMessage } from './sent-message.ts'

export type Json = Record<string, unknown>

export interface NewTemplate {
  name: string
  language: string
  category: string
  status: string
  components: Json[]
  rejected_reason: string
}
/** A template as the Graph API lists it. */
export interface GraphTemplate extends NewTemplate {
  id: string
}

export interface GraphFile {
  bytes: Buffer
  mimeType: string
  /** Download address, instead of the simulator's own. */
  url?: string
}

export interface GraphFailure {
  /** Null: the call is taken and never answered. */
  status: number | null
  code?: number
  headers?: Record<string, string>
}

/** The app to which the token belongs, as Meta manages it. */
export interface GraphApp {
  id: string
  isSecret: (text: string) => boolean
  /** Null until a webhook was set. */
  webhook: { callbackUrl: string; fields: string[] } | null
  /** Whether the app is subscribed to the account. */
  isSubscribed: boolean
  /** verified, not_verified, pending … */
  businessVerification: string
  numberStatus: string
  scopes: string[]
  /** Unix time; 0: never. */
  expiresAt: number
}

export interface GraphAccount {
  /** Whether Meta made this access token for the account. */
  isToken: (text: string) => boolean
  /** Address of the API with its version. */
  graphUrl: () => string
  templates: GraphTemplate[]
  app: GraphApp
  /** Sees a template that was submitted. */
  onSubmitted?: (template: GraphTemplate) => void
  /** Keeps a message. */
  accept: (id: string, message: SentMessage) => Promise<void>
  findFile: (mediaId: string) => Promise<GraphFile | null>
  /** Keeps an uploaded file. */
  storeFile: (mediaId: string, file: GraphFile) => Promise<void>
  /** Sees every call with a valid token first, and may make it fail. */
  refuse?: (path: string, body: Json, method: string) => GraphFailure | null
}

/** The app of a simulated account, before its webhook is set. */
export const simulatedApp = (isSecret: GraphApp['isSecret']): GraphApp => ({
  id: '100000000000003',
  isSecret,
  webhook: null,
  isSubscribed: false,
  businessVerification: 'verified',
  numberStatus: 'CONNECTED',
  scopes: ['whatsapp_business_management', 'whatsapp_business_messaging'],
  expiresAt: 0,
})
