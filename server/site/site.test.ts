import { bahrainDate } from '@qatra/contract/calendar/calendar'
import { getSite, site as siteShape } from '@qatra/contract/settings/site'
import { describe, expect, it } from 'vitest'
import { startShop } from '../test/app.ts'

const analytics = { ga: 'G-TEST', meta: null, snap: null }
const shop = await startShop({ role: 'web', tileUrl: 'https://tiles.example/{z}/{x}/{y}.png', analytics })
const guest = shop.visitor()
const read = async () => (await guest.call(getSite)).body

describe('the site endpoint', () => {
  it('returns settings and configuration in the shape of the contract', async () => {
    const site = await read()
    expect(siteShape.safeParse(site).success).toBe(true)
    expect(site).toMatchObject({
      origin: 'http://localhost:3000',
      company: { nameAr: expect.stringMatching(/قطرة/), crNumber: '999000-1', vatNumber: '999999999900000' },
      support: { phone: '+97336001000' },
      tileUrl: 'https://tiles.example/{z}/{x}/{y}.png',
      simulator: true,
      analytics,
    })
    expect(site.promisedDate > bahrainDate(new Date())).toBe(true)
  })

  it('contains no key, secret or token', async () => {
    const text = JSON.stringify(await read())
    expect(text).not.toContain(shop.app.config.secret.toString())
    expect(Object.keys(await read())).toEqual(Object.keys(siteShape.shape))
  })

  it('returns null for settings that are blank, missing or not an https link', async () => {
    await shop.query(`update settings set value = '  ' where key = 'company.address'`)
    await shop.query(`update settings set value = 'javascript:alert(1)' where key = 'social.instagram'`)
    await shop.query(`update settings set value = 'http://apps.example' where key = 'apps.ios'`)
    await shop.query(`delete from settings where key = 'apps.android'`)
    await expect.poll(async () => (await read()).apps.android).toBeNull()
    expect(await read()).toMatchObject({
      company: { address: null },
      social: { instagram: null },
      apps: { ios: null, android: null },
    })
  })

  it('returns null for all settings of an empty table', async () => {
    await shop.query('delete from settings')
    await expect.poll(async () => (await read()).company.name).toBeNull()
    const { company, support, social, apps } = await read()
    const facts = [company, support, social, apps].flatMap((group) => Object.values(group))
    expect(new Set(facts)).toEqual(new Set([null]))
  })
})
