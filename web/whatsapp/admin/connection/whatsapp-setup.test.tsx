import {
  checkWhatsapp,
  saveWhatsappKeys,
  type WhatsappSetup as Setup,
  submitTemplates,
  subscribeWhatsapp,
  type WhatsappStep,
  whatsappKeys,
  whatsappStepKeys,
} from '@qatra/contract/whatsapp/connection/setup'
import type { ReplyTemplate, Template } from '@qatra/contract/whatsapp/templates/templates'
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type FakeShop, fakeShop, refusal } from '../../../checkout/test-shop.tsx'
import { renderInAdmin, setUpScreen } from '../../../ui/admin/test-admin.tsx'
import { dismissToast } from '../../../ui/Toast.tsx'
import { templatesQuery } from '../inbox/inbox-cache.ts'
import { TemplateFields } from '../templates/TemplateFields.tsx'
import { TemplatePreview } from '../templates/TemplatePreview.tsx'
import { useTemplateChoice } from '../templates/template-choice.ts'
import { setupQuery } from './use-setup-action.ts'
import { WhatsappSetup } from './WhatsappSetup.tsx'

let shop: FakeShop
beforeEach(() => {
  setUpScreen()
  shop = fakeShop()
})
afterEach(() => {
  cleanup()
  dismissToast()
  vi.unstubAllGlobals()
})

const NOW = '2026-11-23T09:00:00.000Z'
const setupWith = (
  steps: Partial<Record<WhatsappStep['key'], Partial<WhatsappStep>>>,
  more: Partial<Setup> = {},
): Setup => ({
  provider: 'cloud',
  checkedAt: NOW,
  answeredAt: NOW,
  webhook: {
    address: 'https://qatra.example/api/webhooks/whatsapp',
    verifyToken: 'verify-me',
    heardAt: null,
    fields: ['messages'],
  },
  keys: whatsappKeys.map((name) => ({
    name,
    source: null,
    ending: null,
    isUnreadable: false,
    by: null,
    at: null,
  })),
  steps: whatsappStepKeys.map((key) => ({ key, state: 'done', problem: null, detail: null, ...steps[key] })),
  templates: [],
  now: NOW,
  ...more,
})
const needed = { name: 'order_new', language: 'ar', category: 'UTILITY', status: null, rejectedReason: null } as const
async function show(setup: Setup) {
  const { queries, go } = await renderInAdmin(() => <WhatsappSetup />, { at: '/elsewhere' })
  queries.setQueryData(setupQuery().queryKey, setup)
  await go('/here')
}
const asked = () => shop.to(checkWhatsapp).length

describe('the set-up of WhatsApp', () => {
  it('asks Meta when it is opened, unless it was asked a moment ago', async () => {
    shop.on(checkWhatsapp, () => setupWith({ token: { state: 'todo', problem: 'TOKEN_INVALID' } }))
    await show(setupWith({ token: { state: 'unknown' } }, { checkedAt: null }))
    expect(await screen.findByText(/The token is no longer valid/)).toBeTruthy()
    expect(asked()).toBe(1)
    cleanup()
    await show(setupWith({}))
    await screen.findAllByText('Done')
    expect(asked()).toBe(1)
  })

  it('shows the address and the verify token to copy, and registers them by one press', async () => {
    shop.on(subscribeWhatsapp, () => setupWith({}))
    await show(setupWith({ webhook: { state: 'todo', problem: 'NO_WEBHOOK' } }))
    expect(await screen.findByText('https://qatra.example/api/webhooks/whatsapp')).toBeTruthy()
    expect(screen.getByText('verify-me')).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: 'Register at Meta' }))
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Register at Meta' })).toBeNull())
  })

  it('shows Meta’s words if it refuses the address', async () => {
    shop.on(subscribeWhatsapp, () => refusal('META_REFUSED', { reason: '2200: Callback verification failed' }))
    await show(setupWith({ webhook: { state: 'todo', problem: 'NO_WEBHOOK' } }))
    fireEvent.click(await screen.findByRole('button', { name: 'Register at Meta' }))
    expect((await screen.findByRole('alert')).textContent).toContain('Callback verification failed')
  })

  it('submits the missing templates and shows what Meta refused', async () => {
    const open = { ...needed, submission: null, error: null }
    shop.on(submitTemplates, () =>
      setupWith({}, { templates: [{ ...open, submission: 'failed', error: '100: Too many variables' }] }),
    )
    await show(
      setupWith(
        { templates: { state: 'todo', problem: 'TEMPLATES_MISSING', detail: '2' } },
        { templates: [open, { ...open, language: 'en' }] },
      ),
    )
    expect(await screen.findByText(/2 templates are missing/)).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: 'Submit the 2 missing templates' }))
    expect(await screen.findByText('100: Too many variables')).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Submit the missing template' })).toBeTruthy()
  })

  it('takes the keys, shows Meta’s reasons beside their fields, and never shows a value', async () => {
    const keys = setupWith({}).keys
    const [token] = keys
    if (!token) throw new Error('There are keys')
    const fromServer = { ...token, name: 'appSecret' as const, source: 'server' as const, ending: '77aa' }
    await show(setupWith({}, { keys: keys.map((key) => (key.name === 'appSecret' ? fromServer : key)) }))
    expect(await screen.findByText(/^Set on the server · ends with .*…77aa/)).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: 'Change the keys' }))
    const field = await screen.findByLabelText('Access token')
    expect(field.getAttribute('type')).toBe('password')
    fireEvent.change(field, { target: { value: 'EAAG-new-token' } })
    fireEvent.change(screen.getByLabelText('Phone number ID'), { target: { value: '+973 1700' } })
    fireEvent.click(screen.getByRole('button', { name: 'Try and store' }))
    expect(await screen.findByText('Digits only, 5 to 25 of them')).toBeTruthy()
    fireEvent.change(screen.getByLabelText('Phone number ID'), { target: { value: '100000000000002' } })
    const problems = [{ name: 'token', problem: 'TOKEN_SCOPES', detail: 'whatsapp_business_messaging' }]
    shop.on(saveWhatsappKeys, () => refusal('WHATSAPP_KEYS_REFUSED', { problems }))
    fireEvent.click(screen.getByRole('button', { name: 'Try and store' }))
    expect(await screen.findByText(/lacks permissions: whatsapp_business_messaging/)).toBeTruthy()
    const saved = { ...token, source: 'page' as const, ending: 'oken', by: 'Khalid', at: NOW }
    shop.on(saveWhatsappKeys, () => setupWith({}, { keys: [saved, ...keys.slice(1)] }))
    fireEvent.click(screen.getByRole('button', { name: 'Try and store' }))
    expect(await screen.findByText(/^Stored · ends with .*…oken.* · .*Khalid/)).toBeTruthy()
    expect(shop.to(saveWhatsappKeys).at(-1)?.body).toEqual({
      token: 'EAAG-new-token',
      phoneNumberId: '100000000000002',
    })
    // Only a key that was entered here can be removed, and what stops is said first.
    shop.on(saveWhatsappKeys, () => setupWith({}))
    fireEvent.click(screen.getByRole('button', { name: /^Remove/ }))
    expect(await screen.findByText(/All WhatsApp messages stop/)).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: 'Remove' }))
    await waitFor(() => expect(screen.queryByText(/^Stored/)).toBeNull())
    expect(shop.to(saveWhatsappKeys).at(-1)?.body).toEqual({ token: null })
  })

  it('has no step that is done in the simulator, and says that nothing leaves the machine', async () => {
    const steps = Object.fromEntries(whatsappStepKeys.map((key) => [key, { state: 'simulated' as const }]))
    await show(setupWith(steps, { provider: 'simulator' }))
    expect(await screen.findByText(/no message leaves this machine/)).toBeTruthy()
    expect(screen.queryByText('Done')).toBeNull()
    expect(screen.getAllByText('Simulated')).toHaveLength(whatsappStepKeys.length)
    // It uses no keys.
    expect(screen.queryByText('Keys')).toBeNull()
  })
})

describe('a template with a picture, a name and a code', () => {
  const reply: ReplyTemplate = {
    name: 'eid_coupon',
    language: 'en',
    category: 'MARKETING',
    header: null,
    body: 'Hello {{first_name}}',
    footer: null,
    buttons: ['Copy code'],
    variables: [
      { part: 'body', label: 'first_name', example: 'Noora' },
      { part: 'image', label: '', example: null },
      { part: 'code', label: 'Copy code', example: 'EID10' },
    ],
  }
  function Fields() {
    const choice = useTemplateChoice({ language: 'en', hasOffers: true })
    return (
      <>
        <TemplateFields choice={choice} />
        <button type="button" onClick={() => choice.filled()}>
          Send
        </button>
      </>
    )
  }

  it('tells beside each field what WhatsApp would refuse', async () => {
    const { queries, go } = await renderInAdmin(() => <Fields />, { at: '/elsewhere' })
    queries.setQueryData(templatesQuery().queryKey, [reply])
    await go('/here')
    fireEvent.change(await screen.findByLabelText(/address of the file/), { target: { value: 'a.jpg' } })
    fireEvent.change(screen.getByLabelText('Code to copy'), { target: { value: 'TEN OFF' } })
    fireEvent.click(screen.getByRole('button', { name: 'Send' }))
    expect(await screen.findByText('An address that begins with https://')).toBeTruthy()
    expect(screen.getByText('Only letters and digits, without spaces')).toBeTruthy()
  })

  it('is previewed with its values, the file by its name', async () => {
    const template: Template = {
      ...reply,
      id: 1,
      status: 'APPROVED',
      isSelectable: true,
      nextCategory: null,
      changes: [],
      draft: null,
      fixed: { edit: null, delete: null },
      unfillable: null,
      quality: null,
      rejectedReason: null,
      buttons: [{ type: 'COPY_CODE', text: 'Copy code', url: null }],
      variables: reply.variables.map((one, at) => ({ ...one, key: ['first_name', 'header', 'code'][at] ?? '' })),
      syncedAt: null,
      updatedAt: NOW,
    }
    const values = { first_name: '{name}', header: 'https://x.example/eid%20offer.png', code: 'EID10' }
    await renderInAdmin(() => <TemplatePreview template={template} values={values} />)
    const shown = (await screen.findByRole('figure')).textContent
    expect(shown).toContain('Hello Noora')
    expect(shown).toContain('eid offer.png')
    expect(shown).toContain('Copy code: EID10')
  })
})
