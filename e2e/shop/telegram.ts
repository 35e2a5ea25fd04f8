import { expect, type Page } from '@playwright/test'
import { ready } from './ready.ts'
import type { Words } from './words.ts'

/** Page object of the simulated Telegram. */
export function telegramOn(page: Page, t: Words) {
  const log = page.getByRole('log', { name: t('simulator.messages') })
  return {
    log,
    open: (phone: string) => page.goto(`/simulator/telegram?phone=${encodeURIComponent(phone)}`),
    async start() {
      await ready(page)
      await page.getByRole('button', { name: t('simulator.telegram.start'), exact: true }).click()
    },
    /** Waits for the topic of a customer's conversation. */
    async openTopic(customer: string) {
      const chats = page.getByRole('navigation', { name: t('simulator.telegram.chats') })
      // The bot may have named the customer too.
      const topics = chats.locator('a:not([href*="chat=bot"])')
      await topics.filter({ hasText: customer }).click()
      await expect(page).toHaveURL(/[?&]chat=\d+/)
    },
    async answer(text: string) {
      await page.getByLabel(t('simulator.telegram.writeTopic')).fill(text)
      await page.getByRole('button', { name: t('simulator.send'), exact: true }).click()
      await expect(log.getByText(text, { exact: true })).toBeVisible()
    },
    async deleteTopic() {
      await page.getByRole('button', { name: t('simulator.telegram.delete') }).click()
      await page
        .getByRole('dialog')
        .getByRole('button', { name: t('simulator.telegram.delete') })
        .click()
      await expect(page).not.toHaveURL(/[?&]chat=/)
    },
  }
}
