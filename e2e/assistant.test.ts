import { randomBytes } from 'node:crypto'
import { request as requests } from '@playwright/test'
import { plain } from './settings.ts'
import { query } from './shop/database.ts'
import { newPhone, signInToAdmin } from './shop/phones.ts'
import { expect, test } from './shop/test.ts'

const boss = '+97336000001'

/** A word that nobody has written before. */
const newWord = (letters: string) => Array.from(randomBytes(9), (byte) => letters[byte % letters.length] ?? '').join('')

/** Another customer's first message; returns the reply of the bot. */
async function replyTo(body: string): Promise<string> {
  const phone = newPhone()
  const customer = await requests.newContext({ baseURL: plain.origin })
  const answer = await customer.post('/api/simulator/messages', { data: { from: phone, body } })
  expect(answer.status(), await answer.text()).toBe(200)
  await customer.dispose()
  let replies: { content: string }[] = []
  await expect
    .poll(async () => {
      replies = await query<{ content: string }>(
        'select content from whatsapp_messages where to_number = $1 order by id',
        [phone],
      )
      return replies.length
    })
    .toBeGreaterThan(0)
  return replies.map(({ content }) => content).join('\n')
}

test('what the bot did not understand is taught as a name and as a question, and understood from then on @desk', async ({
  page,
  shop,
  lang,
  t,
}) => {
  void shop
  const letters = lang === 'ar' ? 'ظغضثذخشطق' : 'qxzvjwkfg'
  const [brand, question] = [newWord(letters), newWord(letters)]
  for (const word of [brand, question, brand, question, brand]) {
    const reply = await replyTo(word)
    expect(reply).toMatch(/القائمة|menu/i)
  }
  await signInToAdmin(page, boss, '/admin/whatsapp/assistant?part=misses')
  const rows = page.locator('[data-row]')
  const row = (word: string) => rows.filter({ hasText: word })
  await expect(row(brand)).toBeVisible()
  await expect(row(question)).toBeVisible()
  // The more frequent one comes first.
  const texts = await rows.allTextContents()
  const placeOf = (word: string) => texts.findIndex((text) => text.includes(word))
  expect(placeOf(brand)).toBeLessThan(placeOf(question))

  const dialog = page.getByRole('dialog')
  const choose = async (label: string, wanted: string) => {
    await dialog.getByRole('combobox', { name: label }).fill(wanted)
    await dialog.getByRole('option', { name: wanted }).first().click()
    await dialog.getByRole('button', { name: t('admin.save') }).click()
    await expect(dialog).toHaveCount(0)
  }
  const ghaima = lang === 'ar' ? 'غيمة' : 'Ghaima'
  await row(brand)
    .getByRole('button', { name: t('assistant.miss.nameOf', { text: brand }) })
    .click()
  await choose(t('assistant.name.target'), ghaima)
  await expect(row(brand)).toHaveCount(0)
  await row(question)
    .getByRole('button', { name: t('assistant.miss.answerTo', { text: question }) })
    .click()
  await choose(t('assistant.teach.which'), t('assistant.topic.payment'))
  await expect(row(question)).toHaveCount(0)

  expect(await replyTo(`${lang === 'ar' ? 'كم سعر' : 'how much is'} ${brand}`)).toContain(ghaima)
  expect(await replyTo(question)).toMatch(/نقد|cash/)
})
