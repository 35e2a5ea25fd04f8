import { type Browser, type Page, request as requests } from '@playwright/test'
import { chromium, plain } from './settings.ts'
import { query } from './shop/database.ts'
import { newPhone, signInToAdmin, specialPhone } from './shop/phones.ts'
import { expect, test } from './shop/test.ts'
import type { Words } from './shop/words.ts'

// A microphone that beeps, allowed without a question.
test.use({
  launchOptions: {
    ...chromium,
    args: [...chromium.args, '--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'],
  },
})

/** A member of the first vendor's staff with the preset of an agent. */
async function makeAgent(name: string): Promise<{ phone: string; id: number }> {
  const phone = newPhone()
  const [row] = await query<{ id: number }>(
    `insert into users (phone, name, role, vendor_id, is_verified, preset)
     values ($1, $2, 'vendor_staff', 1, true, 'agent') returning id`,
    [phone, name],
  )
  return { phone, id: row?.id ?? 0 }
}

/** A customer of this vendor; the simulator marks messages to the phone read at once. */
async function customerOf(vendorId: number, name: string) {
  const phone = specialPhone('9992')
  await query(
    `with person as (insert into users (phone, name, is_verified) values ($1, $2, true) returning id)
     insert into customer_totals (user_id, vendor_id) select id, $3 from person`,
    [phone, name, vendorId],
  )
  const writes = async (body: string) => {
    const customer = await requests.newContext({ baseURL: plain.origin })
    const answer = await customer.post('/api/simulator/messages', { data: { from: phone, body, name } })
    expect(answer.status(), await answer.text()).toBe(200)
    await customer.dispose()
  }
  return { phone, writes }
}

const messagesTo = (phone: string) =>
  query<{ type: string; by: string; status: string; content: string }>(
    `select message_type as type, sent_by_type as by, status, content from whatsapp_messages
     where to_number = $1 order by id`,
    [phone],
  )
const composer = (page: Page) => page.locator('[data-composer]')

/** A second person with the same conversation open. */
async function colleagueAt(browser: Browser, path: string, { phone, lang }: { phone: string; lang: string }) {
  const context = await browser.newContext({ baseURL: plain.origin, serviceWorkers: 'block' })
  await context.addCookies([{ name: 'lang', value: lang, url: plain.origin }])
  const page = await context.newPage()
  await signInToAdmin(page, phone, path)
  return page
}

async function sendLocation(page: Page, t: Words, place: string) {
  await page.getByRole('button', { name: t('inbox.attach'), exact: true }).click()
  await page.getByRole('menuitem', { name: t('inbox.attach.location') }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox', { name: t('map.search') }).fill(place)
  await dialog.getByRole('option').first().click()
  await dialog.getByRole('button', { name: t('inbox.location.send'), exact: true }).click()
  await expect(dialog).toHaveCount(0)
}

async function sendVoice(page: Page, t: Words) {
  await page.getByRole('button', { name: t('inbox.record') }).click()
  await expect(page.getByRole('status').filter({ hasText: t('inbox.recording') })).toContainText('0:02')
  await page.getByRole('button', { name: t('inbox.send'), exact: true }).click()
}

test('an agent of a vendor takes a conversation of its customers, answers in many ways and puts it aside @desk @english @core', async ({
  page,
  browser,
  shop,
  lang,
  isPhone,
  watch,
  t,
}) => {
  void shop
  // The customer has no order yet, so the form of an order finds nobody.
  watch.allow(/404.*sales\/customers/)
  const isArabic = lang === 'ar'
  const [agent, colleague] = [
    await makeAgent(isArabic ? 'سارة' : 'Sara'),
    await makeAgent(isArabic ? 'خالد' : 'Khalid'),
  ]
  const tag = agent.phone.slice(-6)
  const own = await customerOf(1, `${isArabic ? 'ليلى' : 'Layla'} ${tag}`)
  const other = await customerOf(2, `${isArabic ? 'هند' : 'Hind'} ${tag}`)
  await own.writes(isArabic ? '8 كراتين هيرات 200 مل إلى السيف' : '8 cartons Hayrat 200 ml to Seef')
  await expect.poll(() => messagesTo(own.phone)).not.toEqual([])
  for (const customer of [own, other]) await customer.writes(isArabic ? 'ابي اكلم موظف' : 'I want to talk to a person')
  await expect
    .poll(() =>
      query('select 1 from whatsapp_conversation_threads where phone_number = $1 and handoff_at is not null', [
        other.phone,
      ]),
    )
    .toHaveLength(1)

  // Of the two who wait, the vendor's agent sees the vendor's own.
  await signInToAdmin(page, agent.phone, `/admin/whatsapp?view=waiting&q=${tag}`)
  const rows = page.locator('[data-contact]')
  await expect(rows).toHaveCount(1)
  await expect(rows).toContainText(isArabic ? 'ليلى' : 'Layla')
  await rows.click()
  await expect(page).toHaveURL(/open=\d+/)
  const contact = new URL(page.url()).searchParams.get('open') ?? ''
  const thread = page.getByRole('log', { name: t('inbox.messages') })
  await expect(thread.getByText(isArabic ? 'ابي اكلم موظف' : 'I want to talk to a person')).toBeVisible()
  const foreign = await page.request.get(
    `/api/admin/whatsapp/conversations/${encodeURIComponent(other.phone)}/messages`,
  )
  expect(foreign.status()).toBe(404)

  const state = async () => {
    const [row] = await query<{ assigned: number | null; labels: string[]; snoozed: boolean }>(
      `select assigned_to as assigned, labels, snoozed_until is not null as snoozed
       from whatsapp_conversation_threads where contact_id = $1`,
      [contact],
    )
    return row
  }
  await page
    .getByRole('button', { name: t('admin.actions') })
    .last()
    .click()
  await page.getByRole('menuitem', { name: t('inbox.assign.toMe') }).click()
  await expect.poll(async () => (await state())?.assigned).toBe(agent.id)

  // Both see that the other looks; the agent sees the colleague type.
  const beside = await colleagueAt(browser, `/admin/whatsapp?open=${contact}`, { phone: colleague.phone, lang })
  const name = { name: isArabic ? 'خالد' : 'Khalid' }
  await expect(page.getByText(t('inbox.presence.looking', name))).toBeVisible()
  await expect(beside.getByText(t('inbox.presence.looking', { name: isArabic ? 'سارة' : 'Sara' }))).toBeVisible()
  // Until the page is closed.
  const typing = composer(beside)
    .pressSequentially((isArabic ? 'أهلا ' : 'Hello ').repeat(100), { delay: 400 })
    .catch(() => {})
  await expect(page.getByText(t('inbox.presence.typing', name))).toBeVisible()

  const text = isArabic ? 'حياك الله، كيف أساعدك؟' : 'Hello, how can I help?'
  await composer(page).fill(text)
  await page.getByRole('button', { name: t('inbox.send'), exact: true }).click()
  await page.getByRole('button', { name: t('inbox.sendAnyway') }).click()
  await beside.context().close()
  await typing
  await expect(page.getByText(t('inbox.presence.typing', name))).toHaveCount(0)
  await expect(thread.locator('li').filter({ hasText: text }).locator('[data-status="read"]')).toBeVisible()
  await sendLocation(page, t, isArabic ? 'السيف' : 'Seef')
  await sendVoice(page, t)
  await expect
    .poll(async () =>
      (await messagesTo(own.phone)).flatMap(({ by, type, status }) => (by === 'staff' ? `${type} ${status}` : [])),
    )
    .toEqual(['text read', 'location read', 'audio read'])

  await page.getByRole('button', { name: t('inbox.labels.add') }).click()
  await page.getByRole('menuitem', { name: t('inbox.labels.new') }).click()
  const label = `${isArabic ? 'متابعة' : 'Follow'} ${tag}`
  await page.getByRole('dialog').getByLabel(t('inbox.labels.new')).fill(label)
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('admin.save') })
    .click()
  await expect(page.getByRole('list', { name: t('inbox.labels') })).toContainText(label)
  await expect.poll(async () => (await state())?.labels).toEqual([label])

  // The cart lacks an address, for which the bot asks before the customer can confirm.
  if (isPhone)
    await page
      .getByRole('button', { name: t('inbox.showCard') })
      .first()
      .click()
  await page.getByRole('button', { name: t('inbox.cart.send') }).click()
  await expect(page.getByText(t('inbox.cart.asked.address'))).toBeVisible()
  await expect.poll(async () => (await messagesTo(own.phone)).at(-1)?.by).toBe('bot')
  if (isPhone) await page.getByRole('button', { name: t('inbox.toChat') }).click()

  await page.getByRole('button', { name: t('inbox.snooze'), exact: true }).click()
  await page.getByRole('menuitem', { name: t('inbox.snooze.hour') }).click()
  await expect.poll(async () => (await state())?.snoozed).toBe(true)

  // The order for this customer knows phone and name.
  await page.goto(`/admin/whatsapp?open=${contact}`)
  if (isPhone) {
    const bar = page.getByRole('navigation', { name: t('admin.nav') }).filter({ visible: true })
    await expect(bar.getByRole('link', { name: t('admin.nav.whatsapp') })).toBeVisible()
    await page
      .getByRole('button', { name: t('inbox.showCard') })
      .first()
      .click()
  }
  await page.getByRole('link', { name: t('inbox.cart.order') }).click()
  await expect(page).toHaveURL(/\/admin\/sales\/place-order/)
  await expect(page.getByLabel(t('sale.phone'), { exact: true })).toHaveValue(own.phone)
  await expect(page.getByLabel(t('sale.name'), { exact: true })).toHaveValue(isArabic ? /ليلى/ : /Layla/)
})
