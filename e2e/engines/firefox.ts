import { type ElementHandle, launch } from 'puppeteer-core'
import { type Engine, findHydrated, findIn, nameOf, START_MS, type Target, until, within } from './engine.ts'
import type { Screen } from './screen.ts'

export interface FirefoxOptions {
  width: number
  height: number
  /** Blocks cookies, storage and all other site data. */
  blocksSiteData?: boolean
}

/** Firefox by WebDriver BiDi. */
export async function openFirefox(
  screen: Screen,
  { width, height, blocksSiteData = false }: FirefoxOptions,
): Promise<Engine> {
  const browser = await within(
    'Firefox',
    launch({
      browser: 'firefox',
      executablePath: process.env['FIREFOX'] ?? '/usr/bin/firefox-esr',
      headless: false,
      args: ['-width', String(width), '-height', String(height)],
      env: { ...process.env, DISPLAY: screen.display, MOZ_REMOTE_SETTINGS_DEVTOOLS: '1' },
      defaultViewport: { width, height },
      extraPrefsFirefox: blocksSiteData ? { 'network.cookie.cookieBehavior': 2 } : {},
    }),
    START_MS,
  )
  const seen: string[] = []
  try {
    const page = await within('a page of Firefox', browser.newPage())
    page.on('pageerror', (error) => seen.push(String(error)))
    page.on('console', (message) => {
      if (message.type() === 'error') seen.push(message.text())
    })
    const script = <T>(body: string) => within('a script', page.evaluate(body) as Promise<T>)
    const calling = (find: string, { css, text = '' }: Target) =>
      `(${find})(${JSON.stringify(css)}, ${JSON.stringify(text)})`
    const elementOf = (target: Target) =>
      until(nameOf(target), async () => {
        const handle = await within('a look at the page', page.evaluateHandle(calling(findHydrated, target)))
        return handle.asElement() as ElementHandle<Element> | null // `findHydrated` returns elements only
      })
    const click = (target: Target) =>
      until(`a click on ${nameOf(target)}`, async () => {
        const element = await elementOf(target)
        await within('a click', element.click())
        return true
      })

    return {
      open: async (url) => void (await within(`opening ${url}`, page.goto(url))),
      reload: async () => void (await within('a reload', page.reload())),
      address: async () => new URL(await script<string>('location.href')),
      click: async (target) => void (await click(target)),
      async type(target, text) {
        await click(target)
        await script('document.activeElement.select?.()')
        await within('typing', page.keyboard.type(text))
      },
      textOf: (target) => script(`${calling(findIn, target)}?.textContent ?? null`),
      run: (body) => script(`(() => { ${body} })()`),
      errors: () => seen,
      picture: screen.picture,
      close: () => within('the end of Firefox', browser.close()),
    }
  } catch (error) {
    await browser.close()
    throw error
  }
}
