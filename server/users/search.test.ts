import { fold } from '@qatra/contract/lib/text'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { startShop } from '../test/app.ts'

const shop = await startShop({ role: 'web' })

it('folds texts in the database as everywhere else', async () => {
  const letters = "AbÉéÑñüŞşİĞøßáأإآٱىیئةؤءاﻻﷲکگماء٠١٢٣٤۰۱۹３ـ\u0651\u064e\u0301\u200f\u200b\u2067\u00a0\t -'."
  const texts = fc.sample(fc.string({ unit: fc.constantFrom(...letters), maxLength: 12 }), 3000)
  const rows = await shop.query<{ given: string; folded: string }>(
    'select given, fold_text(given) as folded from unnest($1::text[]) as given',
    [texts],
  )
  expect(rows.filter(({ given, folded }) => folded !== fold(given))).toEqual([])
})
