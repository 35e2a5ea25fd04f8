import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../settings.ts'
import { CALL_MS, type Engine, findHydrated, findIn, nameOf, type Target, until } from './engine.ts'
import type { Screen } from './screen.ts'

const elementKey = 'element-6066-11e4-a52e-4f735466cecf'

function miniBrowser(): string {
  const libraries = readdirSync('/usr/lib', { withFileTypes: true }).filter((entry) => entry.isDirectory())
  const places = libraries.map(({ name }) => join('/usr/lib', name, 'webkit2gtk-4.1/MiniBrowser'))
  const found = places.find((place) => existsSync(place))
  if (!found) throw new Error('MiniBrowser is missing: it comes with webkit2gtk-driver')
  return found
}

/** Safari's engine, by W3C WebDriver. */
export async function openWebKit(screen: Screen, size: { width: number; height: number }): Promise<Engine> {
  const port = await freePort()
  const driver = spawn('WebKitWebDriver', [`--port=${port}`], {
    env: { ...process.env, DISPLAY: screen.display, LANG: 'C.UTF-8', NO_AT_BRIDGE: '1' },
    stdio: 'ignore',
    detached: true,
  })
  // The driver starts the browser and ends with it.
  const stop = async () => {
    if (driver.exitCode !== null || !driver.pid) return
    const ended = once(driver, 'exit')
    process.kill(-driver.pid, 'SIGKILL')
    await ended
  }

  async function send<T>(method: string, path: string, body?: object): Promise<T> {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(CALL_MS),
    }).catch((error: unknown) => {
      throw new Error(`WebKitWebDriver gave no answer to ${method} ${path}`, { cause: error })
    })
    const { value } = (await answer.json()) as { value: T & { error?: string; message?: string } }
    if (!answer.ok) throw new Error(`WebKitWebDriver, ${method} ${path}: ${value.error} ${value.message}`)
    return value
  }

  try {
    const capabilities = {
      alwaysMatch: { 'webkitgtk:browserOptions': { binary: miniBrowser(), args: ['--automation'] } },
    }
    const { sessionId } = await until('WebKitWebDriver', () =>
      send<{ sessionId: string }>('POST', '/session', { capabilities }),
    )
    const session = `/session/${sessionId}`
    await send('POST', `${session}/timeouts`, { pageLoad: CALL_MS - 2_000, script: CALL_MS - 2_000 })
    await send('POST', `${session}/window/rect`, { x: 0, y: 0, ...size })
    const script = <T>(body: string, ...args: unknown[]) =>
      send<T>('POST', `${session}/execute/sync`, { script: body, args })
    const find = ({ css, text = '' }: Target) =>
      script<Record<string, string> | null>(`return (${findHydrated})(...arguments)`, css, text)
    const elementOf = async (target: Target) =>
      `${session}/element/${(await until(nameOf(target), () => find(target)))[elementKey]}`

    return {
      open: (url) => send('POST', `${session}/url`, { url }),
      reload: () => send('POST', `${session}/refresh`, {}),
      address: async () => new URL(await send<string>('GET', `${session}/url`)),
      async click(target) {
        await until(`a click on ${nameOf(target)}`, async () => {
          await send('POST', `${await elementOf(target)}/click`, {})
          return true
        })
      },
      async type(target, text) {
        const element = await elementOf(target)
        await send('POST', `${element}/clear`, {})
        await send('POST', `${element}/value`, { text })
      },
      textOf: ({ css, text = '' }) => script(`return (${findIn})(...arguments)?.textContent ?? null`, css, text),
      run: (body) => script(body),
      errors: () => [],
      picture: screen.picture,
      async close() {
        await send('DELETE', session).catch(() => null)
        await stop()
      },
    }
  } catch (error) {
    await stop()
    throw error
  }
}
