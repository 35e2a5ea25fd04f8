import { type Page, request as requests } from '@playwright/test'
import type { Lang } from '@qatra/contract/lib/lang'
import { plain } from './settings.ts'
import { query } from './shop/database.ts'
import { numberedPhone, signInToAdmin, specialPhone } from './shop/phones.ts'
import { expect, test } from './shop/test.ts'
import type { Words } from './shop/words.ts'

const boss = '+97336000001'
const driver = '+97336000005'
const stopWord: Record<Lang, string> = { ar: 'إيقاف', en: 'STOP' }

interface SimulatedMessage {
  direction: string
  parts: { type: string; buttons?: { value?: string }[] } | null
}

async function onPhone<T>(work: (request: Awaited<ReturnType<typeof requests.newContext>>) => Promise<T>): Promise<T> {
  const phone = await requests.newContext({ baseURL: plain.origin })
  try {
    return await work(phone)
  } finally {
    await phone.dispose()
  }
}
const writes = (from: string, body: string) =>
  onPhone(async (phone) => {
    const answer = await phone.post('/api/simulator/messages', { data: { from, body } })
    expect(answer.status(), await answer.text()).toBe(200)
  })
const templatesTo = (to: string) =>
  onPhone(async (phone) => {
    const answer = await phone.get(`/api/simulator/messages?phone=${encodeURIComponent(to)}`)
    const messages: SimulatedMessage[] = await answer.json()
    return messages.flatMap(({ parts }) => (parts?.type === 'template' ? [parts] : []))
  })

const countsOf = async (id: string) => {
  const rows = await query<{ status: string; n: number }>(
    'select status, count(*)::int as n from template_sends where campaign_id = $1 group by status',
    [id],
  )
  return Object.fromEntries(rows.map(({ status, n }) => [status, n]))
}
const idIn = (page: Page) => new URL(page.url()).pathname.split('/').at(-1) ?? ''

/** Opens a new campaign from the list and fills in the first step. */
async function begin(page: Page, t: Words, name: string, template: string) {
  await page
    .getByRole('button', { name: t('campaigns.new') })
    .first()
    .click()
  await page.getByLabel(t('campaigns.name'), { exact: true }).fill(name)
  await page.getByLabel(t('campaigns.template'), { exact: true }).selectOption(template)
  await page.getByRole('button', { name: t('campaigns.next'), exact: true }).click()
  await page.getByRole('radio', { name: t('campaigns.source.list') }).check()
}

/** Declares that the people of the list agreed. */
async function declare(page: Page, t: Words) {
  await page.getByRole('checkbox', { name: t('campaigns.consent') }).check()
  await page.getByLabel(t('campaigns.consent.source'), { exact: true }).fill('Form at the counter')
}

const partsOf = (page: Page, t: Words) => ({
  next: () => page.getByRole('button', { name: t('campaigns.next'), exact: true }).click(),
  press: (name: string) => page.getByRole('button', { name, exact: true }).click(),
  confirm: (name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true }).click(),
  found: page.getByRole('region', { name: t('campaigns.people') }),
  title: (status: 'draft' | 'scheduled' | 'running' | 'paused' | 'completed' | 'cancelled') =>
    page.locator('main header').getByText(t(`campaigns.status.${status}`), { exact: true }),
  tabs: page.getByRole('navigation', { name: t('campaigns.views') }).getByRole('link'),
})

test('a campaign to 500 people is counted, started, paused and resumed, and its figures match its rows @desk @core', async ({
  page,
  shop,
  browser,
  lang,
  t,
  watch,
}) => {
  // The start of the copy, which is not declared.
  watch.allow(/422.*\/start\)/)
  void shop
  const [failing, reading] = [specialPhone('9990'), specialPhone('9992')]
  const plainOnes = Array.from({ length: 498 }, (_, n) => numberedPhone(n))
  const [withLink = '', other = ''] = plainOnes
  const stops = numberedPhone(497)
  const optedOut = numberedPhone(600)
  await query('insert into contacts (phone, opted_out_at) values ($1, now())', [optedOut])
  const rows = [...plainOnes, failing, reading, '12', withLink, optedOut, driver].map((phone) => `${phone},Noor`)
  const csv = Buffer.from(`phone,1\n${rows.join('\n')}\n`)
  const { next, press, confirm, found, title, tabs } = partsOf(page, t)

  const listening = page.waitForResponse(/\/api\/admin\/events/, { timeout: 0 })
  await signInToAdmin(page, boss, '/admin/whatsapp/campaigns')
  await listening
  await begin(page, t, `500 ${lang} ${numberedPhone(0)}`, `order_again ${lang}`)
  await page
    .getByLabel(t('campaigns.file'), { exact: true })
    .setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer: csv })
  const counted = (count: number) =>
    expect(found.getByRole('status').first()).toHaveText(t('campaigns.goesTo', { count }))
  await counted(501)
  await declare(page, t)
  // The only exclusion: staff get no sign-in links.
  await next()
  await page.getByRole('checkbox', { name: t('campaigns.links') }).check()
  await page.getByLabel(t('campaigns.leadsTo')).fill('/orders')
  await press(t('campaigns.back'))
  await counted(500)
  for (const reason of ['malformed', 'repeated', 'opted-out', 'staff'])
    await expect(found.locator(`[data-reason="${reason}"]`)).toContainText('1')

  await found.getByRole('textbox', { name: t('campaigns.people.search') }).fill(other.slice(-8))
  await expect(found.getByRole('listitem')).toHaveCount(1)
  await found.getByRole('listitem').getByRole('button').click()
  await counted(499)
  await expect(found.locator('[data-reason="taken-out"]')).toContainText('1')
  await found.getByRole('radio', { name: t('campaigns.people.excluded', { count: 5 }) }).check()
  await found.getByRole('listitem').getByRole('button').click()
  await counted(500)
  await next()
  await next()
  await next()
  await expect(
    page
      .getByRole('main')
      .getByRole('status')
      .filter({ hasText: t('campaigns.goesTo', { count: 500 }) }),
  ).toBeVisible()
  await expect(page.getByRole('figure').first()).toContainText('Noor')
  await press(t('campaigns.test'))
  await expect.poll(async () => (await templatesTo(boss)).length).toBeGreaterThan(0)
  await press(t('campaigns.save'))

  await expect(title('draft')).toBeVisible()
  const id = idIn(page)
  await press(t('campaigns.act.start'))
  await confirm(t('campaigns.act.start'))
  await press(t('campaigns.act.pause'))
  await expect(title('paused')).toBeVisible()
  await expect.poll(async () => (await countsOf(id))['sending'] ?? 0).toBe(0)
  const { pending = 0 } = await countsOf(id)
  expect(pending).toBeGreaterThan(0)

  // The last recipient opts out before the message is sent.
  await writes(stops, stopWord[lang])
  await expect
    .poll(
      async () => (await query('select 1 from contacts where phone = $1 and opted_out_at is not null', [stops])).length,
    )
    .toBe(1)
  expect((await countsOf(id))['pending']).toBe(pending)
  await press(t('campaigns.act.resume'))
  await confirm(t('campaigns.act.resume'))
  await expect(title('completed')).toBeVisible()
  const wanted = { delivered: 497, read: 1, failed: 1, skipped: 1 }
  // A thousand receipts, each with a request of its own.
  await expect.poll(() => countsOf(id), { timeout: 300_000 }).toEqual(wanted)

  const tab = (view: keyof typeof wanted) => tabs.filter({ hasText: t(`campaigns.send.${view}`) })
  for (const [view, count] of Object.entries(wanted) as [keyof typeof wanted, number][])
    await expect(tab(view)).toHaveText(`${t(`campaigns.send.${view}`)}${count}`)
  await expect(tabs.first()).toHaveText(`${t('campaigns.all')}500`)
  await expect(page.locator('[data-figure="sent"]')).toContainText('498')
  expect(await templatesTo(stops)).toEqual([])
  await tab('failed').click()
  const only = page.locator('[data-row]')
  await expect(only).toHaveCount(1)
  await expect(only).toContainText(t('admin.undelivered.131026'))
  const file = await page.request.get(`/api/admin/whatsapp/campaigns/${id}/sends.csv?status=skipped&lang=${lang}`)
  expect((await file.text()).trim().split('\r\n').at(-1)).toContain(stops.slice(1))

  const [message, ...more] = await templatesTo(withLink)
  expect(more).toEqual([])
  const visit = await browser.newContext({ baseURL: plain.origin })
  const customer = await visit.newPage()
  await customer.goto(`/magic-login/${message?.buttons?.[0]?.value ?? ''}`)
  await customer.waitForURL(/\/orders$/)
  expect((await (await visit.request.get('/api/auth/me')).json()).phone).toBe(withLink)
  await visit.close()
  await expect(page.locator('[data-figure="clicked"]')).toContainText('1')

  // A reply counts as a result, and a copy of the campaign is a draft that needs its own declaration.
  await writes(withLink, 'Hello')
  await page.reload()
  await expect(page.locator('[data-figure="replies"]')).toContainText('1')
  await press(t('campaigns.duplicate'))
  await expect(title('draft')).toBeVisible()
  expect(idIn(page)).not.toBe(id)
  await press(t('campaigns.act.start'))
  await confirm(t('campaigns.act.start'))
  await expect(page.getByText(t('campaigns.error.CAMPAIGN_CONSENT_MISSING'))).toBeVisible()
})

test('a draft campaign can be changed, scheduled, unscheduled and deleted @english', async ({
  page,
  shop,
  lang,
  t,
}) => {
  void shop
  const list = [700, 701, 702].map(numberedPhone)
  const { next, press, confirm, found, title, tabs } = partsOf(page, t)
  await signInToAdmin(page, boss, '/admin/whatsapp/campaigns')
  await begin(page, t, `${lang} ${list[0]}`, `weekly_offer ${lang}`)
  await page.getByLabel(t('campaigns.list'), { exact: true }).fill(list.join('\n'))
  await expect(found.getByRole('status').first()).toHaveText(t('campaigns.goesTo', { count: 3 }))
  await next()
  await expect(page.getByRole('alert').filter({ visible: true })).toHaveText(t('campaigns.consent.fill'))
  await declare(page, t)
  await next()
  await page.getByLabel(t('campaigns.value.body', { label: '1' })).fill('{name}')
  await next()
  await page.getByRole('radio', { name: t('campaigns.when.later') }).check()
  await next()
  // Missing fields are reported before saving.
  await expect(page.getByRole('alert').filter({ visible: true })).toHaveText(
    t('campaigns.missing', { variable: '2', count: 3 }),
  )
  await press(t('campaigns.step.values'))
  await page.getByLabel(t('campaigns.value.body', { label: '2' })).fill('50%')
  await next()
  await next()
  await expect(page.getByRole('figure').first()).toContainText('50%')
  await press(t('campaigns.save'))
  await expect(title('draft')).toBeVisible()

  await page.getByRole('link', { name: t('campaigns.edit') }).click()
  await press(t('campaigns.step.people'))
  await expect(page.getByRole('radio', { name: t('campaigns.source.saved') })).toBeChecked()
  await expect(found.getByRole('listitem')).toHaveCount(3)
  await found.getByRole('listitem').nth(1).getByRole('button').click()
  await expect(found.getByRole('status').first()).toHaveText(t('campaigns.goesTo', { count: 2 }))
  await press(t('campaigns.save'))
  await expect(title('draft')).toBeVisible()
  await expect(tabs.first()).toHaveText(`${t('campaigns.all')}2`)
  await expect(page.locator('[data-reason="taken-out"]')).toContainText('1')

  await press(t('campaigns.act.schedule'))
  await confirm(t('campaigns.act.schedule'))
  await expect(title('scheduled')).toBeVisible()
  await press(t('campaigns.act.pause'))
  await expect(title('paused')).toBeVisible()
  await press(t('campaigns.act.delete'))
  await confirm(t('campaigns.act.delete'))
  await expect(page).toHaveURL(/\/admin\/whatsapp\/campaigns$/)
  for (const phone of list) expect(await templatesTo(phone)).toEqual([])
})

test('a campaign in two languages stops when its template is paused, says why and goes on', async ({
  page,
  shop,
  lang,
  t,
}) => {
  void shop
  const [arabic = '', english = ''] = [710, 711].map(numberedPhone)
  await query(`insert into contacts (phone, language) values ($1, 'en')`, [english])
  const { next, press, confirm, title } = partsOf(page, t)
  await signInToAdmin(page, boss, '/admin/whatsapp/campaigns')
  await page
    .getByRole('button', { name: t('campaigns.new') })
    .first()
    .click()
  await page.getByLabel(t('campaigns.name'), { exact: true }).fill(`${lang} ${arabic}`)
  await page.getByLabel(t('campaigns.template'), { exact: true }).selectOption('water_reminder ar')
  await page.getByRole('checkbox', { name: t('campaigns.bothLanguages') }).check()
  await next()
  await page.getByRole('radio', { name: t('campaigns.source.list') }).check()
  await page.getByLabel(t('campaigns.list'), { exact: true }).fill([arabic, english].join('\n'))
  await declare(page, t)
  for (let step = 0; step < 3; step += 1) await next()
  await expect(page.getByRole('main').getByText(t('campaigns.languages.both'))).toBeVisible()
  await press(t('campaigns.save'))
  await expect(title('draft')).toBeVisible()
  const id = idIn(page)
  // As if WhatsApp had paused the template at the moment of the start.
  await query(
    `update template_campaigns set status = 'paused', started_at = now(), status_code = '132015',
     status_reason = '132015: Template is paused' where id = $1`,
    [id],
  )
  await page.reload()
  await expect(page.getByRole('alert').filter({ hasText: t('campaigns.stop.paused') })).toBeVisible()
  await press(t('campaigns.act.resume'))
  await confirm(t('campaigns.act.resume'))
  await expect(title('completed')).toBeVisible()
  await expect.poll(async () => (await templatesTo(arabic)).length).toBe(1)
  await expect.poll(async () => (await templatesTo(english)).length).toBe(1)
  const sent = await query<{ language: string }>(
    'select language from template_sends where campaign_id = $1 order by recipient_phone',
    [id],
  )
  expect(sent.map(({ language }) => language)).toEqual(['ar', 'en'])
})
