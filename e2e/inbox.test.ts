import { randomUUID } from 'node:crypto'
import { type Page, request as requests } from '@playwright/test'
import { plain } from './settings.ts'
import { query } from './shop/database.ts'
import { newPhone, signInToAdmin, specialPhone } from './shop/phones.ts'
import { expect, test } from './shop/test.ts'
import type { Words } from './shop/words.ts'

const boss = '+97336000001'
/** The simulator marks its messages read at once. */
const readingPhone = () => specialPhone('9992')

/** The customer's message, by the simulator's API. */
async function writes(from: string, body: string, name: string) {
  const customer = await requests.newContext({ baseURL: plain.origin })
  try {
    const answer = await customer.post('/api/simulator/messages', { data: { from, body, name } })
    expect(answer.status(), await answer.text()).toBe(200)
  } finally {
    await customer.dispose()
  }
}

async function contactOf(phone: string): Promise<number> {
  const [row] = await query<{ id: number }>('select id from contacts where phone = $1', [phone])
  return row?.id ?? 0
}

const composer = (page: Page) => page.locator('[data-composer]')
const thread = (page: Page, t: Words) => page.getByRole('log', { name: t('inbox.messages') })

test('the bot is silent while a person answers a customer, until the conversation is handed back @desk @english @core', async ({
  page,
  shop,
  lang,
  isPhone,
  t,
}) => {
  void shop
  const phone = readingPhone()
  const name = lang === 'ar' ? `مريم ${phone.slice(-7, -4)}` : `Mary ${phone.slice(-7, -4)}`
  const listening = page.waitForResponse(/\/api\/admin\/events/, { timeout: 0 })
  // Searched, because other journeys may fill the first page of the list.
  await signInToAdmin(page, boss, `/admin/whatsapp?view=waiting&q=${encodeURIComponent(name)}`)
  await listening
  await expect(page.getByRole('heading', { level: 1, name: t('inbox.title') })).toBeVisible()

  // Before the customer asks for a person the bot answers, and the list stays empty.
  await writes(phone, 'ابي اكلم موظف', name)
  const row = page.locator('[data-contact]').filter({ hasText: name })
  await expect(row).toBeVisible()
  await expect(row).toContainText(/1\s*/)
  await expect(row).toContainText(t('inbox.unread'))
  await row.click()
  await expect(page).toHaveURL(/open=\d+/)
  await expect(thread(page, t).getByText('ابي اكلم موظف')).toBeVisible()
  await expect(thread(page, t).locator('[data-unread]')).toBeVisible()
  // Visible messages are marked read.
  await expect
    .poll(async () => {
      const [line] = await query<{ unread: number }>(
        'select unread_count as unread from whatsapp_conversation_threads where phone_number = $1',
        [phone],
      )
      return line?.unread
    })
    .toBe(0)

  // A message that arrives in the open conversation is marked read.
  await writes(phone, 'ألو؟', name)
  await expect(thread(page, t).getByText('ألو؟')).toBeVisible()

  await composer(page).fill('طلبك في الطريق، يصل اليوم.')
  if (isPhone) await page.getByRole('button', { name: t('inbox.send'), exact: true }).click()
  else await composer(page).press('Enter')
  const own = thread(page, t).locator('li').filter({ hasText: 'طلبك في الطريق، يصل اليوم.' })
  await expect(own).toBeVisible()
  await expect(own.locator('[data-status="read"]')).toBeVisible()
  await expect(composer(page)).toHaveValue('')
  await expect(page.getByText(t('inbox.answering.you'))).toBeVisible()
  await page.getByRole('button', { name: t('inbox.handBack') }).click()
  await expect(page.getByText(t('inbox.answering.bot'))).toBeVisible()
  await page.getByRole('button', { name: t('inbox.takeOver') }).click()
  await expect(page.getByText(t('inbox.answering.you'))).toBeVisible()

  // The draft is kept while another conversation is open.
  await composer(page).fill('وتبين نرجع القوارير؟')
  await page.reload()
  await expect(composer(page)).toHaveValue('وتبين نرجع القوارير؟')
})

test('after 24 hours only a template can be sent, and notes stay internal @desk', async ({ page, shop, t }) => {
  void shop
  const phone = readingPhone()
  await writes(phone, 'Hello', 'Priya')
  await expect.poll(() => contactOf(phone)).toBeGreaterThan(0)
  const contact = await contactOf(phone)
  await expect
    .poll(async () => {
      const rows = await query('select 1 from whatsapp_messages where contact_id = $1', [contact])
      return rows.length
    })
    .toBeGreaterThan(0)
  await query(
    `update whatsapp_conversation_threads set last_incoming_at = now() - interval '25 hours' where contact_id = $1`,
    [contact],
  )
  await signInToAdmin(page, boss, `/admin/whatsapp?open=${contact}`)
  await expect(page.getByText(t('inbox.closed'), { exact: true })).toBeVisible()
  await expect(composer(page)).toHaveCount(0)
  await page.getByRole('button', { name: t('inbox.template.choose') }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('heading', { name: t('inbox.template.choose') })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)

  await page.getByRole('button', { name: t('inbox.note.write') }).click()
  await composer(page).fill('Rings twice')
  await page.getByRole('button', { name: t('inbox.note.save') }).click()
  await expect(thread(page, t).getByText('Rings twice')).toBeVisible()
  const sent = await query(`select 1 from whatsapp_messages where content = 'Rings twice'`)
  expect(sent).toEqual([])
})

test('staff start a conversation by template with a number that never wrote @desk', async ({ page, shop, t }) => {
  void shop
  const phone = readingPhone()
  await signInToAdmin(page, boss, '/admin/whatsapp')
  await page.getByRole('button', { name: t('inbox.start'), exact: true }).click()
  const dialog = page.getByRole('dialog')
  const send = dialog.getByRole('button', { name: t('inbox.template.send') })
  await dialog.getByLabel(t('inbox.start.phone')).fill('12')
  await send.click()
  await expect(dialog.getByText(t('inbox.start.phone.wrong'))).toBeVisible()
  await dialog.getByLabel(t('inbox.start.phone')).fill(phone.replace('+973', ''))
  const names = await dialog.getByLabel(t('inbox.template'), { exact: true }).locator('option').allTextContents()
  const plainOne = names.find((name) => name.startsWith('water_reminder')) ?? ''
  await dialog.getByLabel(t('inbox.template'), { exact: true }).selectOption({ label: plainOne })
  await send.click()
  await expect(dialog).toHaveCount(0)
  await expect(page).toHaveURL(/open=\d+/)
  const own = thread(page, t)
    .locator('li')
    .filter({ hasText: t('inbox.type.template') })
  await expect(own.locator('[data-status="read"]')).toBeVisible()
  // Free text is blocked until the customer has written.
  await expect(page.getByText(t('inbox.closed'), { exact: true })).toBeVisible()
  expect(await contactOf(phone)).toBeGreaterThan(0)
})

test('an agent works off 50 waiting conversations with three orders among them by keyboard alone @desktop', async ({
  page,
  shop,
  t,
}) => {
  void shop
  const COUNT = 50
  // The journey in the other language does the same at the same time, so the list is searched.
  const name = `Waiting ${randomUUID().slice(0, 8)}`
  const callers = [newPhone(), newPhone(), newPhone()]
  await query(
    `with person as (insert into users (phone, name, is_verified)
       select phone, $2 || ' ' || n + 2, true from unnest($1::text[]) with ordinality as c (phone, n) returning id)
     insert into addresses (user_id, address, address_parts, lat, lng, is_default)
     select id, 'Building 1172, Road 2831, Block 428', '{"block":"428","road":"2831","building":"1172"}', 26.2371, 50.5417,
       true from person`,
    [callers, name],
  )
  const water = await shop.named.product(1)
  // They come last in the list, so that those of other journeys stay on its first page.
  const made = await query<{ id: number }>(
    `with c as (insert into contacts (business_scoped_id, name, phone)
       select $1 || ' ' || n, $1 || ' ' || n, ($3::text[])[n - 2] from generate_series(1, $2::int) n
       returning id, name),
     m as (insert into whatsapp_messages (contact_id, direction, channel, content, status, sent_by_type)
       select id, 'incoming', 'whatsapp', name, 'received', 'customer' from c returning id, contact_id)
     insert into whatsapp_conversation_threads
       (contact_id, last_message_id, last_incoming_at, unread_count, handoff_at, handoff_reason, staff_since)
     select contact_id, id, now(), 1, now() + interval '1 day' + (rank() over (order by id)) * interval '1 minute',
       'asked', now() from m returning contact_id as id`,
    [name, COUNT, callers],
  )
  const isOpen = (index: number) => expect(page).toHaveURL(new RegExp(`open=${made[index]?.id}(&|$)`))
  const isShown = (index: number) =>
    expect(thread(page, t).getByText(`${name} ${index + 1}`, { exact: true })).toBeVisible()
  const stateOf = async (index: number) => {
    const [row] = await query<{ done: boolean; snoozed: boolean; mine: boolean; waits: boolean }>(
      `select done_at is not null as done, snoozed_until is not null as snoozed, assigned_to is not null as mine,
         handoff_at is not null as waits from whatsapp_conversation_threads where contact_id = $1`,
      [made[index]?.id],
    )
    return row
  }
  await signInToAdmin(page, boss, `/admin/whatsapp?view=waiting&q=${encodeURIComponent(name)}`)
  await expect(page.locator(`[data-contact="${made[0]?.id}"]`)).toBeVisible()
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog').getByText(t('inbox.keys.resolve'))).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)

  await page.keyboard.press('j')
  await isOpen(0)
  // The first is taken and answered; "/" alone is never sent.
  await isShown(0)
  await page.keyboard.press('a')
  await expect.poll(async () => (await stateOf(0))?.mine).toBe(true)
  await page.keyboard.press('r')
  await expect(composer(page)).toBeFocused()
  await page.keyboard.type('/zz')
  await page.keyboard.press('Enter')
  await expect(composer(page)).toHaveValue('/zz')
  await composer(page).press('ControlOrMeta+a')
  await page.keyboard.type('We are on our way.')
  await page.keyboard.press('Enter')
  await expect(thread(page, t).getByText('We are on our way.')).toBeVisible()
  await expect.poll(async () => (await stateOf(0))?.waits).toBe(false)
  await page.keyboard.press('Escape')
  await page.keyboard.press('e')
  await expect.poll(async () => (await stateOf(0))?.done).toBe(true)
  await isOpen(1)
  await isShown(1)

  // The second is put aside, the others are done.
  await page.keyboard.press('s')
  await expect(page.getByRole('menuitem', { name: t('inbox.snooze.hour') })).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await stateOf(1))?.snoozed).toBe(true)
  for (let index = 2; index < COUNT; index += 1) {
    await isOpen(index)
    await isShown(index)
    if (callers[index - 2]) await orderAndReturn(index)
    await page.keyboard.press('e')
    await expect.poll(async () => (await stateOf(index))?.done).toBe(true)
  }

  const orders = await query('select 1 from orders where phone = any($1::text[])', [callers])
  expect(orders).toHaveLength(callers.length)

  /** The order knows the caller and the address; the placed one leads back to the conversation, as Escape does. */
  async function orderAndReturn(index: number) {
    const { keyboard } = page
    const adder = page.getByRole('combobox', { name: t('sale.add') })
    await keyboard.press('p')
    await expect(page.getByLabel(t('sale.phone'), { exact: true })).toHaveValue(callers[index - 2] ?? '')
    await expect(page.getByLabel(t('sale.name'), { exact: true })).toHaveValue(`${name} ${index + 1}`)
    if (index === 2) {
      await keyboard.press('Escape')
      await keyboard.press('Escape')
      await isShown(index)
      await expect(thread(page, t)).toBeFocused()
      await keyboard.press('p')
      await expect(page.getByLabel(t('sale.name'), { exact: true })).toHaveValue(`${name} ${index + 1}`)
    }
    await expect(adder).toBeVisible()
    while (!(await adder.evaluate((field) => field === document.activeElement))) await keyboard.press('Tab')
    await keyboard.type(water.name)
    await expect(page.getByRole('option').filter({ hasText: water.name }).first()).toBeVisible()
    await keyboard.press('Enter')
    await expect(page.locator(':focus')).toHaveAttribute('inputmode', 'numeric')
    await keyboard.type('6')
    await keyboard.press('Control+Enter')
    await expect(page.getByRole('heading', { name: t('sale.done') })).toBeVisible()
    await expect(page.getByRole('link', { name: t('admin.toChat') })).toBeFocused()
    await keyboard.press('Enter')
    await isOpen(index)
    await isShown(index)
    await expect(thread(page, t)).toBeFocused()
  }
})

test('a PDF with a quote reaches the customer, whose cart stands beside the chat @desk', async ({
  page,
  shop,
  lang,
  isPhone,
  t,
}) => {
  void shop
  const phone = readingPhone()
  const name = lang === 'ar' ? `ليلى ${phone.slice(-7, -4)}` : `Layla ${phone.slice(-7, -4)}`
  await writes(phone, lang === 'ar' ? '4 كراتين هيرات 200 مل إلى السيف' : '4 cartons Hayrat 200 ml to Seef', name)
  const contact = await expect
    .poll(() => contactOf(phone))
    .toBeGreaterThan(0)
    .then(() => contactOf(phone))
  // The bot fills the cart first: it is silent once a person has answered.
  await expect
    .poll(() => query(`select 1 from whatsapp_messages where contact_id = $1 and direction = 'outgoing'`, [contact]))
    .not.toEqual([])
  await signInToAdmin(page, boss, `/admin/whatsapp?open=${contact}`)
  const first = thread(page, t).locator('li').filter({ hasText: /200/ }).first()
  await first.hover()
  await first.getByRole('button', { name: t('inbox.quote'), exact: true }).click()
  const buffer = Buffer.from('%PDF-1.4\n%%EOF\n')
  await page.locator('[data-attach]').setInputFiles({ name: 'bill.pdf', mimeType: 'application/pdf', buffer })
  await composer(page).fill('الفاتورة')
  await page.getByRole('button', { name: t('inbox.send'), exact: true }).click()
  const sent = thread(page, t)
    .locator('li')
    .filter({ has: page.getByRole('link', { name: /bill\.pdf/ }) })
  await expect(sent).toContainText('الفاتورة')
  await expect(sent.locator('[data-status="read"]')).toBeVisible()
  const [message] = await query<{ id: string }>(
    `select message_id as id from whatsapp_messages where to_number = $1 and message_type = 'document'`,
    [phone],
  )
  const file = await page.request.get(`${plain.origin}/api/simulator/files/${message?.id}`)
  expect([file.status(), await file.body()]).toEqual([200, buffer])
  if (!isPhone) await expect(page.getByRole('list', { name: t('inbox.cart') })).toContainText('200')
})
