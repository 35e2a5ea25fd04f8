import {
  type GraphApp,
  type GraphFailure,
  type GraphFile,
  type GraphTemplate,
  type Json,
  simulatedApp,
} from '../../../demo/simulators/whatsapp-cloud/graph-account.ts'
import { createGraphApi } from '../../../demo/simulators/whatsapp-cloud/graph-api.ts'
import { simulatedAccount } from '../../providers/settings.ts'
import { type ProviderServer, serveProvider } from './server.ts'

/** The simulated Graph API on a port of its own, with its state in memory. */
export interface MetaServer extends ProviderServer {
  graphUrl: string
  token: string
  /** All that Meta accepts at present. */
  tokens: Set<string>
  appSecret: string
  phoneNumberId: string
  /** All calls about messages and files with a valid token. */
  received: { path: string; body: Json }[]
  /** Files of customers by media id. */
  files: Map<string, GraphFile>
  templates: GraphTemplate[]
  app: GraphApp
  businessId: string
  /** Answers every call with this error until `reset`; null never responds. */
  fail: (status: number | null, code?: number, headers?: Record<string, string>) => void
  /** Decides about each call, by its body, or `{path}` for a GET; null accepts it. */
  decide: (by: (body: Json) => GraphFailure | null) => void
  /** Delay of each response in milliseconds. */
  slowDown: (by: () => number) => void
  /** Called for each accepted message before the response is sent. */
  onTaken: (by: (taken: Taken) => void) => void
  reset: () => void
}

interface Taken {
  body: Json
  messageId: string
  /** Whether the caller received the response. */
  answered: Promise<boolean>
}

/** Calls about the account, which jobs make at any time. */
const managing = /\/(?:debug_token|subscriptions|subscribed_apps|message_templates|uploads|upload:\d+)\b|[?]fields=/

export async function startMeta(): Promise<MetaServer> {
  const token = 'EAAG-token-of-the-test'
  const tokens = new Set([token])
  const appSecret = 'app-secret-of-the-test'
  const received: MetaServer['received'] = []
  const files: MetaServer['files'] = new Map()
  const templates: GraphTemplate[] = []
  let decide: (body: Json) => GraphFailure | null = () => null
  let delay: () => number = () => 0
  let tell: (taken: Taken) => void = () => {}
  const app = simulatedApp((text) => text === appSecret)
  const graphApi = createGraphApi({
    isToken: (text) => tokens.has(text),
    app,
    graphUrl: () => graphUrl,
    templates,
    accept: async () => {},
    findFile: async (id) => files.get(id) ?? null,
    storeFile: async (id, file) => void files.set(id, file),
    refuse(path, body, method) {
      if (!managing.test(path)) received.push({ path, body })
      return decide(method === 'GET' ? { path } : body)
    },
  })
  const server = await serveProvider(async (request) => {
    const reply = await graphApi(request)
    if (!reply) return null
    const delayMs = delay()
    const { messages } = reply.body as { messages?: [{ id: string }] }
    if (!messages) return { ...reply, delayMs }
    const { promise: answered, resolve: onClose } = Promise.withResolvers<boolean>()
    tell({ body: JSON.parse(request.body) as Json, messageId: messages[0].id, answered })
    return { ...reply, delayMs, onClose }
  })
  const graphUrl = `${server.origin}/v23.0`
  return {
    ...server,
    graphUrl,
    token,
    tokens,
    appSecret,
    phoneNumberId: simulatedAccount.phoneNumberId,
    received,
    files,
    templates,
    app,
    businessId: simulatedAccount.businessId,
    fail: (status, code = 1, headers = {}) => void (decide = () => ({ status, code, headers })),
    decide: (by) => void (decide = by),
    slowDown: (by) => void (delay = by),
    onTaken: (by) => void (tell = by),
    reset() {
      received.length = 0
      decide = () => null
      delay = () => 0
      tell = () => {}
    },
  }
}
