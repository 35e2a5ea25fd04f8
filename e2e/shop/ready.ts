import type { Page } from '@playwright/test'

/** Waits until the page answers to presses: what the server sent is only a picture before. */
export async function ready(page: Page) {
  await page.waitForFunction(() => {
    const button = document.querySelector('header button, header a')
    return button !== null && Object.keys(button).some((key) => key.startsWith('__reactProps'))
  })
}
