import { test as base, expect } from '@playwright/test'
import type { Lang } from '@qatra/contract/lib/lang'
import { plain } from '../settings.ts'
import { type Shop, shopOn } from './pages.ts'
import { createWatch, type Watch } from './watch.ts'
import { type Words, wordsIn } from './words.ts'

export interface ShopOptions {
  lang: Lang
}

interface ShopFixtures {
  t: Words
  watch: Watch
  shop: Shop
  isPhone: boolean
}

const originOf = (baseURL: string | undefined) => new URL(baseURL ?? plain.origin).origin

export const test = base.extend<ShopOptions & ShopFixtures>({
  lang: ['ar', { option: true }],
  t: async ({ lang }, use) => use(wordsIn(lang)),
  isPhone: async ({ viewport }, use) => use((viewport?.width ?? 0) < 600),
  watch: [
    async ({ context, baseURL }, use) => {
      const watch = createWatch(originOf(baseURL))
      await watch.follow(context)
      await use(watch)
      expect(watch.errors(), 'what the pages said or asked for').toEqual([])
    },
    { auto: true },
  ],
  // Sets the language cookie; tests about languages start without it.
  shop: async ({ page, context, lang, t, isPhone, baseURL }, use) => {
    await context.addCookies([{ name: 'lang', value: lang, url: originOf(baseURL) }])
    await use(shopOn({ page, lang, t, isPhone }))
  },
})

export { expect }
