import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { SKIP_WAITING } from './shop-pages.ts'
import { changeVersion, onNewVersion, shopWorker } from './worker.ts'

let container: EventTarget & { controller: unknown; register: () => Promise<unknown> }
let registration: EventTarget & { waiting: unknown; installing: EventTarget | null }
const reload = vi.fn()

beforeEach(() => {
  registration = Object.assign(new EventTarget(), { waiting: null, installing: null })
  container = Object.assign(new EventTarget(), { controller: null, register: vi.fn(async () => registration) })
  vi.stubEnv('PROD', true)
  vi.stubGlobal('navigator', { serviceWorker: container })
  vi.stubGlobal('location', { reload })
  reload.mockClear()
})
afterEach(() => {
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
})

const registered = async () => {
  const found = await shopWorker()
  if (!found) throw new Error('There is a service worker')
  return found
}
/** The browser has installed a worker. */
function install(worker: object) {
  const installing = new EventTarget()
  registration.installing = installing
  registration.dispatchEvent(new Event('updatefound'))
  registration.waiting = worker
  installing.dispatchEvent(new Event('statechange'))
}

describe('the service worker of the shop', () => {
  it('is not registered in development', async () => {
    vi.stubEnv('PROD', false)
    expect(await shopWorker()).toBeNull()
    expect(container.register).not.toHaveBeenCalled()
  })

  it('announces a new version, not the first one', async () => {
    const found = vi.fn()
    onNewVersion(await registered(), found)
    install({})
    expect(found).not.toHaveBeenCalled()
    container.controller = {}
    const second = {}
    install(second)
    expect(found).toHaveBeenCalledExactlyOnceWith(second)
  })

  it('announces a version that waited before the page was opened', async () => {
    container.controller = {}
    registration.waiting = { name: 'waiting' }
    const found = vi.fn()
    onNewVersion(await registered(), found)
    expect(found).toHaveBeenCalledWith({ name: 'waiting' })
  })

  it('never reloads a page that has not asked for the new version', async () => {
    onNewVersion(await registered(), () => undefined)
    container.controller = {}
    install({})
    container.dispatchEvent(new Event('controllerchange'))
    expect(reload).not.toHaveBeenCalled()
    const postMessage = vi.fn()
    changeVersion({ postMessage } as unknown as ServiceWorker) // the rest is never called
    expect([postMessage.mock.calls, reload.mock.calls]).toEqual([[[SKIP_WAITING]], []])
    container.dispatchEvent(new Event('controllerchange'))
    expect(reload).toHaveBeenCalledTimes(1)
  })
})
