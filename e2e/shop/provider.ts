import type { BrowserContext, Route } from '@playwright/test'
import { errorIn200, type Fault, type ProviderServer, serveProvider } from '../../server/test/simulators/server.ts'

export interface Provider {
  /** Received calls, without refused ones. */
  asked(): number
  /** Null: healthy. */
  be(fault: Fault | null): Promise<void>
  stop(): Promise<void>
}

export interface ServingProvider extends Provider {
  address: string
}

/** Called by browsers. */
export interface RoutedProvider extends Provider {
  standIn(context: BrowserContext): Promise<void>
}

export const serving = ({ origin: address, requests, be, stop }: ProviderServer): ServingProvider => ({
  address,
  asked: () => requests.length,
  be,
  stop,
})

const answers = {
  fails: { status: 500 },
  'too-many': { status: 429, headers: { 'retry-after': '30' } },
  'error-in-200': { status: 200, contentType: 'application/json', body: errorIn200 },
}

/** An external address that only browser routes can fake. Slow modes are not simulated. */
export function routedProvider(url: RegExp, answer: (route: Route) => Promise<void>): RoutedProvider {
  let mood: Fault | null = null
  let count = 0
  const take = async (route: Route) => {
    count += 1
    if (mood === null) return answer(route)
    if (mood === 'refuses') return route.abort('connectionrefused')
    if (mood === 'breaks-off') return route.abort('connectionreset')
    if (mood !== 'hangs' && mood !== 'drips') return route.fulfill(answers[mood])
  }
  return {
    asked: () => count,
    be: async (next) => void (mood = next),
    stop: async () => {},
    standIn: async (context) => void (await context.route(url, take)),
  }
}

/** Intercepts a call to the shop itself while it has a failure mode. */
export async function divertedProvider(url: RegExp): Promise<RoutedProvider> {
  const { address, be, ...server } = serving(await serveProvider(async () => ({ status: 200, body: {} })))
  let isAway = false
  return {
    ...server,
    async be(mood) {
      isAway = mood !== null
      await be(mood)
    },
    async standIn(context) {
      await context.route(url, (route) => route.continue(isAway ? { url: address } : {}))
    },
  }
}
