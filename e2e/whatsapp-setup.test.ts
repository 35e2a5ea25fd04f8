import { join } from 'node:path'
import { folder, freePort } from './settings.ts'
import { audit } from './shop/audit.ts'
import { startOwnServer, stopOwnServer } from './shop/own-server.ts'
import { signInToAdmin } from './shop/phones.ts'
import { expect, test } from './shop/test.ts'

const boss = '+97336000001'
const port = await freePort()
const origin = `http://localhost:${port}`
test.use({ baseURL: origin })

test('an owner follows the set-up of WhatsApp: webhook, subscription and templates @desk @english', async ({
  page,
  shop,
  lang,
  t,
  isPhone,
}, { workerIndex }) => {
  const dataDir = join(folder, `whatsapp-setup-${lang}-${workerIndex}`)
  const server = await startOwnServer({ port, origin, dataDir }, { RATE_LIMITS: 'off' })
  try {
    await signInToAdmin(page, boss, '/admin/whatsapp/connection')
    await expect(page.getByText(t('connection.state.simulated'), { exact: true }).first()).toBeVisible()
    await expect(page.getByText(t('whatsappSetup.simulator'))).toBeVisible()
    await expect(page.getByText(`${origin}/api/webhooks/whatsapp`)).toBeVisible()
    const setup = page.getByRole('region', { name: t('whatsappSetup.title') })
    await expect(setup.getByText(t('whatsappSetup.problem.NOT_SUBSCRIBED'))).toBeVisible()

    await setup.getByRole('button', { name: t('whatsappSetup.register') }).click()
    await expect(shop.toast.filter({ hasText: t('whatsappSetup.registered') })).toBeVisible()
    await expect(setup.getByText(t('whatsappSetup.problem.NOT_SUBSCRIBED'))).toHaveCount(0)

    await expect(setup.getByText(t('whatsappSetup.problem.TEMPLATES_MISSING', { count: 2 }))).toBeVisible()
    await setup.getByRole('button', { name: t('whatsappSetup.templates.submit', { count: 2 }) }).click()
    await expect(setup.getByText(t('whatsappSetup.problem.TEMPLATES_MISSING', { count: 2 }))).toHaveCount(0)
    await setup.getByText(t('whatsappSetup.templates.show', { count: 36 })).click()
    // A step of the list holds the templates.
    const code = setup.getByRole('listitem').getByRole('listitem').filter({ hasText: 'login_code' })
    await expect(code.getByText(t('templates.status.APPROVED'), { exact: true })).toHaveCount(2)
    // The simulator reaches nobody, so that no step is done.
    await expect(setup.getByText(t('whatsappSetup.state.done'), { exact: true })).toHaveCount(0)
    await audit(page, 'set-up of WhatsApp', { least: isPhone ? 44 : 24 })
  } finally {
    // An open page would report that its server is gone.
    await page.close()
    await stopOwnServer(server)
  }
})
