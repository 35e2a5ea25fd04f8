import type { Page } from '@playwright/test'

/** Waits for hydration: before it, clicks on the server-rendered page do nothing. */
export async function ready(page: Page) {
  await page.waitForFunction(() => {
    const button = document.querySelector('header button, header a')
    return button !== null && Object.keys(button).some((key) => key.startsWith('__reactProps'))
  })
}
