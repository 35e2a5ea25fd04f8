import { formOf, type ProviderHandler } from '../../../demo/simulators/provider-http.ts'
import { type ProviderServer, serveProvider } from './server.ts'

/** What the language model is asked, as the service receives it. */
export interface AskedChat {
  model: string
  messages: { role: string; content: string }[]
  response_format: { json_schema: { schema: unknown } }
}

/** An OpenAI-compatible service on a port of its own. */
export interface ModelServer extends ProviderServer {
  url: string
  chats: AskedChat[]
  sounds: { model: string; bytes: Buffer; filename: string }[]
  /** The content of its next answers; an object is sent as JSON. The whole message with `raw`. */
  answer: (content: object | string, raw?: object) => void
  /** What it hears from now on. */
  hear: (text: string) => void
}

export async function startModels(): Promise<ModelServer> {
  const chats: AskedChat[] = []
  const sounds: ModelServer['sounds'] = []
  let content: object | string = ''
  let raw: object = {}
  let heard = ''
  const handler: ProviderHandler = async (request) => {
    const { path, body } = request
    if (path === '/v1/chat/completions') {
      chats.push(JSON.parse(body) as AskedChat) // from our gateway
      const text = typeof content === 'string' ? content : JSON.stringify(content)
      const choice = { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: text, refusal: null } }
      return {
        status: 200,
        body: { id: 'chatcmpl-1', object: 'chat.completion', choices: [{ ...choice, ...raw }] },
      }
    }
    if (path !== '/v1/audio/transcriptions') return { status: 404, body: { error: { message: 'Unknown path' } } }
    const form = await formOf(request)
    const file = form?.get('file')
    if (!(file instanceof File)) return { status: 400, body: { error: { message: 'There is no file' } } }
    const bytes = Buffer.from(await file.arrayBuffer())
    sounds.push({ model: String(form?.get('model')), bytes, filename: file.name })
    return { status: 200, body: { text: heard } }
  }
  const server = await serveProvider(handler)
  return Object.assign(server, {
    url: `${server.origin}/v1`,
    chats,
    sounds,
    answer(next: object | string, whole: object = {}) {
      content = next
      raw = whole
    },
    hear(text: string) {
      heard = text
    },
  })
}
