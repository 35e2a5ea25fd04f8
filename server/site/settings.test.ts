import { getSettings, saveSettings } from '@qatra/contract/settings/settings'
import { getSite } from '@qatra/contract/settings/site'
import { getInboxSettings, saveInboxSettings } from '@qatra/contract/whatsapp/inbox/settings'
import { describe, expect, it } from 'vitest'
import { startShop } from '../test/app.ts'
import { makeVisitor } from '../test/fixtures/make.ts'
import { referenceState } from '../test/reference-state.ts'

const shop = await startShop({ role: 'web', databasePoolSize: 20 })
const market = await makeVisitor(shop, { role: 'super_admin' })
const guest = shop.visitor()

const company = {
  name: 'Spring Market W.L.L.',
  nameAr: 'سوق الينبوع ذ.م.م',
  address: 'Building 7\nManama',
  addressAr: 'مبنى 7، المنامة',
  crNumber: '98214',
  vatNumber: '٢٢٠٠ ٠٤٤١ ٨٧٠٠ ٠٠٢',
}
const support = {
  phone: '1700 4420',
  whatsapp: '36004420',
  email: 'care@spring.example',
  hours: null,
  hoursAr: '',
}
const social = { instagram: 'https://instagram.example/spring', x: null, tiktok: null }
const full = { company, support, social, apps: { ios: null, android: null } }
const versionNow = async () => (await market.call(getSettings)).body.version

describe('the settings', () => {
  it('are stored in canonical form, shown at once and audited by field', async () => {
    const before = (await market.call(getSettings)).body
    const { status, body } = await market.call(saveSettings, { body: { ...full, version: before.version } })
    expect([status, body.version]).toEqual([200, before.version + 1])
    const stored = {
      company: { ...company, vatNumber: '220004418700002' },
      support: { ...support, phone: '+97317004420', whatsapp: '+97336004420', hoursAr: null },
      social,
      apps: full.apps,
    }
    expect(body).toMatchObject(stored)
    expect((await guest.call(getSite)).body).toMatchObject(stored)
    const [entry] = await shop.query<{ user_id: number; old_values: object; new_values: object }>(
      `select user_id, old_values, new_values from audit_log where resource = 'settings' order by id desc limit 1`,
    )
    expect(entry).toMatchObject({
      user_id: market.id,
      old_values: { 'company.crNumber': before.company.crNumber, 'apps.ios': before.apps.ios },
      new_values: { 'company.crNumber': '98214', 'company.vatNumber': '220004418700002', 'apps.ios': null },
    })
  })

  it('keep version and audit log if nothing changes', async () => {
    const { version, ...same } = (await market.call(getSettings)).body
    const before = await referenceState(shop)
    const { status, body } = await market.call(saveSettings, { body: { ...same, version } })
    expect([status, body.version]).toEqual([200, version])
    expect(await referenceState(shop)).toBe(before)
  })

  it('are not shown any more after their removal', async () => {
    await market.call(saveSettings, { body: { ...full, support: {} } })
    expect((await guest.call(getSite)).body.support).toEqual({
      phone: null,
      whatsapp: null,
      email: null,
      hours: null,
      hoursAr: null,
    })
  })

  it('are refused with a stale version', async () => {
    const version = await versionNow()
    await market.call(saveSettings, { body: { ...full, company: { ...company, crNumber: '1' }, version } })
    const { status, refusal } = await market.call(saveSettings, { body: { ...full, version } })
    expect([status, refusal.code, refusal.details]).toEqual([409, 'VERSION_CONFLICT', { version: version + 1 }])
  })

  it('are changed by one of twenty concurrent requests with the same version, from an empty table too', async () => {
    await shop.query('delete from settings')
    const bodies = Array.from({ length: 20 }, (_, n) => ({
      ...full,
      company: { ...company, crNumber: String(n) },
      version: 0,
    }))
    const statuses = (await Promise.all(bodies.map((body) => market.call(saveSettings, { body })))).map(
      (one) => one.status,
    )
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(statuses.filter((status) => status === 409)).toHaveLength(19)
    expect(await versionNow()).toBe(1)
  })

  it.each([
    ['a VAT number of 14 digits', { company: { vatNumber: '22000441870000' } }, 'company.vatNumber'],
    ['a script as link', { social: { instagram: 'javascript:alert(1)' } }, 'social.instagram'],
    ['a link without TLS', { apps: { ios: 'http://apps.example' } }, 'apps.ios'],
    ['a link with a user', { social: { x: 'https://x.example@evil.example/' } }, 'social.x'],
    ['a name of two lines', { company: { name: 'a\nb' } }, 'company.name'],
    ['a name with bidi controls', { company: { nameAr: 'a\u202eb' } }, 'company.nameAr'],
    ['letters for a phone', { support: { phone: 'call me' } }, 'support.phone'],
    ['an email without a domain', { support: { email: 'care@spring' } }, 'support.email'],
    ['a negative version', { version: -1 }, 'version'],
  ])('refuse %s and change nothing', async (_, change, field) => {
    const before = await referenceState(shop)
    const body = { ...full, ...change }
    const { status, refusal } = await market.send('PUT', '/api/admin/settings', { body })
    expect([status, Object.keys(refusal.details.fields ?? {})]).toEqual([422, [field]])
    expect(await referenceState(shop)).toBe(before)
  })
})

describe('the settings of the inbox', () => {
  const hours = { opensAt: '٠٨:٠٠', closesAt: '17:00' }
  const everyDay = [hours, hours, hours, hours, hours, null, { ...hours, closesAt: '12:00' }]
  const inbox = {
    waitMinutes: 5,
    rules: [{ by: 'all' as const, ids: [], labels: [], people: [market.id] }],
    hours: everyDay,
    closedText: 'Back soon.',
    closedTextAr: 'نعود قريبًا.',
    asksRating: true,
  }

  it('are stored beside the facts, audited by field, and refused with a stale version', async () => {
    const before = (await market.call(getInboxSettings)).body
    expect(before).toMatchObject({ waitMinutes: 10, rules: [], asksRating: false })
    const { status, body } = await market.call(saveInboxSettings, { body: { ...inbox, version: before.version } })
    expect([status, body.version, body.hours[0]]).toEqual([
      200,
      before.version + 1,
      { opensAt: '08:00', closesAt: '17:00' },
    ])
    const [entry] = await shop.query<{ resource_id: string; new_values: object }>(
      `select resource_id, new_values from audit_log where resource = 'settings' order by id desc limit 1`,
    )
    expect(entry).toMatchObject({
      resource_id: 'inbox',
      new_values: { 'inbox.waitMinutes': '5', 'inbox.asksRating': 'true' },
    })
    const stale = await market.call(saveInboxSettings, { body: { ...inbox, version: before.version } })
    expect([stale.status, stale.refusal.code]).toEqual([409, 'VERSION_CONFLICT'])
    // The company's form leaves them alone.
    await market.call(saveSettings, { body: full })
    expect((await market.call(getInboxSettings)).body).toMatchObject({ waitMinutes: 5, closedTextAr: 'نعود قريبًا.' })
  })

  it.each([
    ['no limit', { waitMinutes: 0 }, 'waitMinutes'],
    ['a rule without people', { rules: [{ by: 'all', ids: [], labels: [], people: [] }] }, 'rules.0.people'],
    ['a week of six days', { hours: everyDay.slice(1) }, 'hours'],
  ])('are refused with %s', async (_, wrong, field) => {
    const { status, refusal } = await market.call(saveInboxSettings, { body: { ...inbox, ...wrong } as never })
    expect([status, Object.keys(refusal.details?.fields ?? {})]).toEqual([422, [field]])
  })
})
