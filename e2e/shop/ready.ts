import type { Page } from '@playwright/test'

/** Waits until header and content are hydrated: before it, clicks on the server-rendered page do nothing. */
export async function ready(page: Page) {
  await page.waitForFunction(() => {
    const isHydrated = (element: Element | null) =>
      element !== null && Object.keys(element).some((key) => key.startsWith('__reactProps'))
    const main = document.querySelector('main')
    return isHydrated(document.querySelector('header button, header a')) && (main === null || isHydrated(main))
  })
}
