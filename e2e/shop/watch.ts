import type { BrowserContext, ConsoleMessage, Request } from '@playwright/test'

export interface Watch {
  /** Expected refusals and network errors. */
  allow(...patterns: RegExp[]): void
  /** Allows the errors that a page logs while it is offline. */
  allowOffline(): void
  allowOrigin(origin: string): void
  follow(context: BrowserContext): Promise<void>
  errors(): string[]
}

const OFFLINE = [
  /ERR_INTERNET_DISCONNECTED|ERR_FAILED/,
  /CallError: No answer/,
  /could not be loaded/,
  /dynamically imported module|Failed to fetch/,
  // Of a service worker that is registered while the network goes.
  /error occurred when fetching the script/,
]

/** Records console errors and failed requests. */
export function createWatch(origin: string): Watch {
  const origins = new Set([origin])
  const allowed: RegExp[] = [/Service Worker registration blocked by Playwright/]
  const seen: string[] = []

  function onConsole(message: ConsoleMessage) {
    if (message.type() !== 'error' && message.type() !== 'warning') return
    seen.push(`console ${message.type()}: ${message.text()} (${message.location().url}) on ${message.page()?.url()}`)
  }
  function onRequest(request: Request) {
    const { origin, protocol } = new URL(request.url())
    if (protocol === 'data:' || protocol === 'blob:' || origins.has(origin)) return
    seen.push(`request to another host: ${request.url()}`)
  }

  return {
    allow: (...patterns) => void allowed.push(...patterns),
    allowOffline: () => void allowed.push(...OFFLINE),
    allowOrigin: (one) => void origins.add(one),
    errors: () => seen.filter((error) => !allowed.some((pattern) => pattern.test(error))),
    async follow(context) {
      await context.addInitScript(() => {
        document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
          console.error(`Against the policy: ${violatedDirective} ${blockedURI}`)
        })
      })
      context.on('console', onConsole)
      context.on('request', onRequest)
      context.on('weberror', (error) => seen.push(`error on the page: ${error.error().stack ?? error.error().message}`))
      context.on('response', (response) => {
        if (response.status() >= 500) seen.push(`${response.status()} ${response.url()}`)
      })
      context.on('dialog', (dialog) => {
        seen.push(`browser dialog: ${dialog.message()}`)
        void dialog.dismiss()
      })
    },
  }
}
