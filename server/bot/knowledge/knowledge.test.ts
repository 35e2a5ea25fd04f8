import type { Input } from '@qatra/contract/endpoint'
import { saveSettings } from '@qatra/contract/settings/settings'
import * as api from '@qatra/contract/whatsapp/bot'
import { getInboxSettings, saveInboxSettings } from '@qatra/contract/whatsapp/inbox/settings'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createReferenceData } from '../../database/reference-data.ts'
import { deleteOldRows } from '../../jobs/retention.ts'
import { startShop } from '../../test/app.ts'
import { chat } from '../../test/fixtures/chat.ts'
import { newPhone } from '../../test/fixtures/codes.ts'
import type { Visitor } from '../../test/visitor.ts'
import { readKnowledge } from './snapshot.queries.ts'

const shop = await startShop()
/** Names and answers as another process holds them, which learns of changes by notifications alone. */
const elsewhere = await createReferenceData(readKnowledge, shop.app.db, shop.app.listener, shop.app.log)
afterAll(elsewhere.stop)

let boss: Visitor
beforeAll(async () => {
  boss = await shop.visitor().signInAs('+97336000001')
})

type Texts = NonNullable<Input<typeof api.changeBotAnswer>['body']>
const write = (key: string, body: Texts) => boss.call(api.changeBotAnswer, { params: { key }, body })
const enter = (support: NonNullable<Input<typeof saveSettings>['body']>['support']) =>
  boss.call(saveSettings, { body: { company: {}, support, social: {}, apps: {} } })
type Day = { opensAt: string; closesAt: string } | null
/** The same hours on all days but Friday, others on Sunday. */
const enterHours = async (day: Day, sunday = day) => {
  const { body } = await boss.call(getInboxSettings)
  await boss.call(saveInboxSettings, { body: { ...body, hours: [sunday, day, day, day, day, null, day] } })
}
const answerOf = async (key: string) =>
  (await boss.call(api.listBotAnswers)).body.answers.find((answer) => answer.key === key)
const missesOf = async (view: 'open' | 'dismissed' = 'open') =>
  (await boss.call(api.listBotMisses, { query: { view, limit: 100 } })).body.items
const actionsOn = async (resource: string, id: string | number) =>
  (
    await shop.query<{ action: string }>(
      'select action from audit_log where resource = $1 and resource_id = $2 order by id',
      [resource, String(id)],
    )
  ).map(({ action }) => action)

describe('an answer to a question to the shop', () => {
  it('is the default until the office writes one, and again after it is reset', async () => {
    const customer = chat(shop, newPhone())
    expect(await answerOf('payment')).toMatchObject({
      isDefault: true,
      version: 0,
      en: 'You pay in cash when your order arrives.',
    })
    expect(await customer.say('how can i pay')).toContain('You pay in cash')

    const written = await write('payment', { ar: 'نقدًا أو بنفت بي.', en: 'Cash or BenefitPay.', version: 0 })
    expect(written.body).toMatchObject({ isDefault: false, version: 1, changedBy: expect.any(String) })
    expect(await customer.say('how can i pay')).toContain('Cash or BenefitPay.')
    expect(await chat(shop, newPhone()).say('كيف ادفع؟')).toContain('نقدًا أو بنفت بي.')

    const reset = await boss.call(api.resetBotAnswer, { params: { key: 'payment' }, query: { version: 1 } })
    expect(reset.status).toBe(200)
    expect(await answerOf('payment')).toMatchObject({ isDefault: true, version: 2 })
    expect(await customer.say('how can i pay')).toContain('You pay in cash')
    expect(await actionsOn('bot-answer', 'payment')).toEqual(['updated', 'reset'])
  })

  it('is written once where two people write the same version at the same time', async () => {
    const both = await Promise.all(['First', 'Second'].map((en) => write('offers', { ar: 'عرض', en, version: 0 })))
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(both.find(({ status }) => status === 409)?.refusal).toMatchObject({
      code: 'VERSION_CONFLICT',
      details: { version: 1 },
    })
    await boss.call(api.resetBotAnswer, { params: { key: 'offers' }, query: { version: 1 } })
    // A default written again is a later version: an editor of the first one does not overwrite it.
    await write('offers', { ar: 'عرض', en: 'Third', version: 2 })
    expect((await write('offers', { ar: 'عرض', en: 'Late', version: 1 })).status).toBe(409)
    expect(await answerOf('offers')).toMatchObject({ en: 'Third', version: 3 })
  })

  it('names by default the hours and the phone of the office once they are entered', async () => {
    await enter({})
    await enterHours(null)
    expect(await answerOf('hours')).toMatchObject({ en: expect.not.stringContaining('Office hours') })
    await enter({ phone: '+97336001234' })
    await enterHours({ opensAt: '08:00', closesAt: '20:00' })
    expect(await answerOf('hours')).toMatchObject({ isDefault: true, en: expect.stringContaining('{hours}') })
    const customer = chat(shop, newPhone())
    expect(await customer.say('when are you open?')).toContain('Office hours: 8:00 AM to 8:00 PM. We deliver every day')
    expect(await customer.say('how can i contact you')).toContain('call +97336001234')
    expect(await chat(shop, newPhone()).say('متى تفتحون؟')).toMatch(/ساعات المكتب: من 8:00 ص إلى 8:00 م/)
    await enterHours({ opensAt: '08:00', closesAt: '08:00' })
    await expect.poll(() => chat(shop, newPhone()).say('متى تفتحون؟')).toContain('ساعات المكتب: على مدار الساعة')
    await enterHours({ opensAt: '08:00', closesAt: '20:00' }, { opensAt: '10:00', closesAt: '14:00' })
    await expect
      .poll(() => chat(shop, newPhone()).say('when are you open?'))
      .toContain('Wednesday, and Thursday: 8:00 AM to 8:00 PM; Sunday: 10:00 AM to 2:00 PM')
  })

  it('is sent with the facts of the catalogue, the calendar and the settings', async () => {
    await enter({ hours: 'Sunday to Thursday', hoursAr: 'من الأحد إلى الخميس' })
    const en = 'Open {hours}. Delivery {days}, for {fee}, from {minimum}.'
    expect((await write('hours', { ar: 'نعمل {hours}.', en, version: 0 })).status).toBe(200)
    await shop.query(`update vendors set delivery_fee = 500, min_delivery_amount = 1000`)
    await shop.query(`update vendors set delivery_fee = 0 where id = 2`)
    await expect
      .poll(() => chat(shop, newPhone()).say('when are you open?'))
      .toContain('Delivery every day except Fridays and public holidays, for free or up to BHD 0.500, from BHD 1.000.')
    expect(await chat(shop, newPhone()).say('when are you open?')).toContain('Open Sunday to Thursday.')
    expect(await chat(shop, newPhone()).say('متى تفتحون؟')).toContain('نعمل من الأحد إلى الخميس.')
  })

  it('names the public holidays of the next two weeks', async () => {
    await shop.query(
      `insert into holidays (day, name, name_ar)
       select d::date, 'x', 'x' from generate_series(current_date + 2, current_date + 8, interval '1 day') d
       where extract(isodow from d) = 1 on conflict do nothing`,
    )
    await expect.poll(() => chat(shop, newPhone()).say('which days do you deliver?')).toContain('no delivery on Monday')
  })

  it('names the closures of the brand that is asked about', async () => {
    await shop.query(
      `insert into holidays (day, vendor_id, name, name_ar)
       select d::date, 1, 'x', 'x' from generate_series(current_date + 2, current_date + 8, interval '1 day') d
       where extract(isodow from d) = 2 on conflict do nothing`,
    )
    const ask = (question: string) => chat(shop, newPhone()).say(question)
    await expect.poll(() => ask('does hayrat deliver on tuesday?')).toMatch(/no delivery on .*Tuesday/)
    expect(await ask('do you deliver on tuesday?')).not.toContain('Tuesday')
    expect(await ask('does ghaima deliver on tuesday?')).not.toContain('Tuesday')
  })

  it('falls back to the default while one of its facts has no value', async () => {
    await enter({ phone: '+97336001234' })
    await write('contact', { ar: 'اتصل {phone}', en: 'Call {phone}', version: 0 })
    expect(await chat(shop, newPhone()).say('how can i contact you')).toContain('Call +97336001234')
    await enter({})
    expect(await chat(shop, newPhone()).say('how can i contact you')).toContain('Write to us here at any time')
  })

  it('is refused with an unknown fact, a fact without a value, and the brand where none is asked about', async () => {
    const refused = async (key: string, en: string) => (await write(key, { ar: 'نعم', en, version: 0 })).refusal
    expect(await refused('robot', 'I am {me}')).toMatchObject({
      code: 'INVALID_BODY',
      details: { fields: { en: expect.any(String) } },
    })
    expect(await refused('robot', 'Call {phone}')).toMatchObject({ code: 'ANSWER_FACT', details: { names: ['phone'] } })
    expect(await refused('robot', 'I am {vendor}')).toMatchObject({
      code: 'ANSWER_FACT',
      details: { names: ['vendor'] },
    })
    expect((await write('fees', { ar: '{fee}', en: '{vendor}: {fee}', version: 0 })).status).toBe(200)
    expect(
      (await boss.call(api.changeBotAnswer, { params: { key: 'weather' }, body: { ar: 'ا', en: 'a', version: 0 } }))
        .refusal.code,
    ).toBe('ANSWER_NOT_FOUND')
  })

  it('about fees is that of the named brand, and without a brand only if it names none', async () => {
    await shop.query(`update vendors set delivery_fee = 300 where id = 1`)
    await expect.poll(() => chat(shop, newPhone()).say('Hayrat delivery fee?')).toContain(': BHD 0.300')
    const before = (await answerOf('fees'))?.version ?? 0
    expect(await chat(shop, newPhone()).say('how much is delivery?')).not.toContain('BHD 0.300 to')
    await write('fees', { ar: 'التوصيل {fee}', en: 'Delivery costs {fee}.', version: before })
    expect(await chat(shop, newPhone()).say('how much is delivery?')).toContain(
      'Delivery costs free or up to BHD 0.500.',
    )
  })
})

describe('an answer that the office adds', () => {
  it('is reached by its phrase in every process, and gone with it when deleted', async () => {
    const body = { title: 'Cooler', ar: 'نعم، نبيع البرادات.', en: 'Yes, we sell coolers.', phrase: 'عندكم كولرات' }
    const made = await boss.call(api.createBotAnswer, { body })
    expect(made.body).toMatchObject({ title: 'Cooler', isDefault: false, version: 1 })
    expect(await chat(shop, newPhone()).say('السلام عليكم عندكم كولرات؟')).toContain('نبيع البرادات')
    await expect.poll(() => elsewhere.current().answers.get(api.answerKeyOf(made.body.key))?.en).toBe(body.en)
    const { body: names } = await boss.call(api.listBotAliases, { query: { limit: 100 } })
    expect(names.items.find(({ target }) => target === made.body.key)).toMatchObject({
      text: body.phrase,
      type: 'answer',
    })

    const removed = await boss.call(api.resetBotAnswer, { params: { key: made.body.key }, query: { version: 1 } })
    expect(removed.status).toBe(200)
    expect(await shop.query(`select from bot_aliases where text = $1`, [body.phrase])).toEqual([])
    await expect.poll(() => elsewhere.current().answers.has(api.answerKeyOf(made.body.key))).toBe(false)
    expect(await actionsOn('bot-answer', made.body.key)).toEqual(['created', 'deleted'])
  })

  it('is not kept where its phrase is refused', async () => {
    const body = { title: 'Never', ar: 'ا', en: 'a', phrase: 'الغي طلبي' }
    expect((await boss.call(api.createBotAnswer, { body })).refusal).toMatchObject({
      code: 'ALIAS_REFUSED',
      details: { reason: 'command' },
    })
    expect(await shop.query(`select from bot_answers where title = 'Never'`)).toEqual([])
  })
})

describe('a further name', () => {
  const add = (text: string, type: api.AliasType, target: string) =>
    boss.call(api.createBotAlias, { body: { text, type, target } })

  it('orders its brand, size and area at once, and in the other process', async () => {
    expect((await add('ابو قطره', 'vendor', '1')).status).toBe(200)
    expect((await add('ننو', 'size', '330ml')).status).toBe(200)
    const [area] = await shop.query<{ id: number }>(`select id from areas where name = 'Seef'`)
    expect((await add('شارع المجمعات', 'area', String(area?.id))).status).toBe(200)
    const customer = chat(shop, newPhone())
    await customer.say('ابي 3 كرتون ابو قطره ننو')
    expect(await customer.say('شارع المجمعات')).toMatch(/3 .*330/)
    await expect.poll(() => elsewhere.current().aliases.map(({ text }) => text)).toContain('شارع المجمعات')
  })

  it.each([
    ['a brand', 'هيرات', 'taken'],
    ['an area', 'المحرق', 'taken'],
    ['a landmark', 'سيتي سنتر البحرين', 'taken'],
    ['a command', 'القائمة', 'command'],
    ['a command of several words', 'cancel my order', 'command'],
    ['a word of politeness', 'لو سمحت', 'taken'],
    ['one letter, stretched', 'ظظظ', 'unreadable'],
  ])('that is %s is refused', async (_, text, reason) => {
    expect((await add(text, 'vendor', '2')).refusal).toMatchObject({ code: 'ALIAS_REFUSED', details: { reason } })
  })

  it('that is written stretched is found however long it is stretched, and added once', async () => {
    const { body } = await add('دقووووقي', 'vendor', '2')
    expect(await shop.query(`select key from bot_aliases where id = $1`, [body.id])).toEqual([{ key: 'دقوقي' }])
    for (const text of ['كم سعر دقوقي', 'كم سعر دقوووووووقيييي'])
      expect(await chat(shop, newPhone()).say(text)).toContain('غيمة')
    expect((await add('دقوووقي', 'vendor', '1')).refusal).toMatchObject({ details: { reason: 'taken' } })
  })

  it('is added once under parallel requests', async () => {
    const both = await Promise.all([1, 2].map((id) => add('دبدوب', 'vendor', String(id))))
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  it('of figures or marks is refused, as is one that means nothing', async () => {
    expect((await add('24 7', 'answer', 'hours')).refusal.code).toBe('INVALID_BODY')
    expect((await add('كذا؟', 'answer', 'hours')).refusal.code).toBe('INVALID_BODY')
    expect((await add('كذا مذا', 'product', '999999')).refusal.code).toBe('ALIAS_TARGET_NOT_FOUND')
    expect((await add('كذا مذا', 'answer', 'own:999999')).refusal.code).toBe('ALIAS_TARGET_NOT_FOUND')
  })

  it('that is deleted is no longer understood', async () => {
    const { body } = await add('ماي الغزال', 'vendor', '2')
    expect((await boss.call(api.deleteBotAlias, { params: { id: String(body.id) } })).status).toBe(200)
    expect((await boss.call(api.deleteBotAlias, { params: { id: String(body.id) } })).refusal.code).toBe(
      'ALIAS_NOT_FOUND',
    )
    expect(await actionsOn('bot-alias', body.id)).toEqual(['created', 'deleted'])
    expect((await add('ماي الغزال', 'vendor', '1')).status).toBe(200)
  })
})

describe('a message that is not understood', () => {
  const gibberish = 'طنقزه فلفشه'

  it('is listed by frequency with its last conversation, once a message, without personal data', async () => {
    const phone = newPhone()
    const first = chat(shop, phone)
    await first.say(`${gibberish} 36001234 مجمع 340`)
    await chat(shop, newPhone()).say(`${gibberish}! 36 00 12 35 مجمع 341`)
    await chat(shop, newPhone()).say('قرمبع شلفط')
    const all = await missesOf()
    const found = all.find(({ text }) => text.startsWith(gibberish))
    expect(found).toMatchObject({ count: 2, people: 2 })
    expect(found?.text).not.toMatch(/\d{3}/)
    expect(all.indexOf(found ?? (all[0] as never))).toBeLessThan(all.findIndex(({ text }) => text.startsWith('قرمبع')))
    const [contact] = await shop.query<{ id: number }>(
      `select contact_id as id from bot_misses order by id desc limit 1`,
    )
    expect(all.find(({ text }) => text.startsWith('قرمبع'))?.contactId).toBe(contact?.id)
  })

  it('leaves the list when it is dismissed, also when it comes again, and returns when it is put back', async () => {
    await chat(shop, newPhone()).say('بلبوص مكحوت')
    const miss = (await missesOf()).find(({ text }) => text === 'بلبوص مكحوت')
    const body = { key: miss?.key ?? '' }
    expect((await boss.call(api.dismissBotMiss, { body })).status).toBe(200)
    await chat(shop, newPhone()).say('بلبوص مكحوت')
    expect((await missesOf()).map(({ key }) => key)).not.toContain(body.key)
    expect((await missesOf('dismissed')).find(({ key }) => key === body.key)).toMatchObject({ count: 2 })
    expect((await boss.call(api.restoreBotMiss, { body })).status).toBe(200)
    expect((await missesOf()).find(({ key }) => key === body.key)).toMatchObject({ count: 2 })
    expect((await boss.call(api.dismissBotMiss, { body: { key: 'nobody wrote this' } })).refusal.code).toBe(
      'MISS_NOT_FOUND',
    )
  })

  it('leaves the list when the office says what it means, and is understood from then on', async () => {
    await chat(shop, newPhone()).say('دنقوش')
    const miss = (await missesOf()).find(({ text }) => text === 'دنقوش')
    const body = { text: 'دنقوش', type: 'vendor', target: '1', miss: miss?.key ?? '' } as const
    expect((await boss.call(api.createBotAlias, { body })).status).toBe(200)
    expect((await missesOf()).map(({ text }) => text)).not.toContain('دنقوش')
    await chat(shop, newPhone()).say('ابي كرتونين دنقوش')
    expect((await missesOf()).map(({ text }) => text)).not.toContain('ابي كرتونين دنقوش')
  })

  it('is kept at most 20 times a day for one person, and for 90 days', async () => {
    const phone = newPhone()
    await chat(shop, phone).say('خنفشار مبلول')
    const [row] = await shop.query<{ contact_id: number }>(`select contact_id from bot_misses order by id desc limit 1`)
    const contact = row?.contact_id ?? 0
    await shop.query(
      `with m as (insert into whatsapp_messages (contact_id, direction, channel, message_type, status, processed)
         select $1, 'incoming', 'whatsapp', 'text', 'received', true from generate_series(1, 19) returning id)
       insert into bot_misses (contact_id, message_id, key, text) select $1, id, 'many', 'many' from m`,
      [contact],
    )
    await shop.query(`delete from bot_sessions where contact_id = $1`, [contact])
    await chat(shop, phone).say('خنفشار ثاني')
    const count = () => shop.query(`select from bot_misses where contact_id = $1`, [contact])
    expect(await count()).toHaveLength(20)
    const aged = (days: number) =>
      shop.query(
        `update bot_misses set created_at = now() - $2 * interval '1 day' where contact_id = $1 and key = 'many'`,
        [contact, days],
      )
    await aged(89)
    await deleteOldRows(shop.app, ({ table }) => table === 'bot_misses')
    expect(await count()).toHaveLength(20)
    await aged(91)
    await deleteOldRows(shop.app, ({ table }) => table === 'bot_misses')
    expect(await count()).toHaveLength(1)
  })
})
