import { createHash } from 'node:crypto'
import { expect, type Page } from '@playwright/test'
import { query } from './database.ts'

/** Expires the session of the page's browser: the server deletes it, the browser keeps its cookie. */
export async function expireSession(page: Page) {
  const cookie = (await page.context().cookies()).find(({ name }) => name === 'sid')
  const id = createHash('sha256')
    .update(cookie?.value ?? '')
    .digest('hex')
  expect(await query('delete from sessions where id = $1 returning id', [id])).toHaveLength(1)
}
