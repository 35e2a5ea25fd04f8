import { getMe } from '@qatra/contract/users/auth'
import * as api from '@qatra/contract/whatsapp/bot'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createQueries } from '../../../app/queries.ts'
import { type FakeShop, fakeShop, refusal } from '../../../checkout/test-shop.tsx'
import { fetchKey, read } from '../../../lib/api-client.ts'
import { renderInAdmin, sara, setUpScreen } from '../../../ui/admin/test-admin.tsx'
import { dismissToast, Toasts } from '../../../ui/Toast.tsx'
import { AssistantPage } from './AssistantPage.tsx'

const boss = { ...sara, role: 'super_admin' as const, vendorId: null, permissions: ['whatsapp.read', 'whatsapp.write'] }
const untouched = { title: null, isDefault: true, version: 0, changedAt: null, changedBy: null }
const hours: api.BotAnswer = { ...untouched, key: 'hours', ar: 'نوصل {days}.', en: 'We deliver {days}.' }
const written: api.BotAnswer = {
  key: 'payment',
  title: null,
  ar: 'نقدًا',
  en: 'Cash',
  isDefault: false,
  version: 3,
  changedAt: '2026-11-21T09:00:00.000Z',
  changedBy: 'Khalid',
}
const facts: api.BotFact[] = [
  { name: 'days', ar: 'كل يوم', en: 'every day' },
  { name: 'phone', ar: null, en: null },
]
const miss: api.BotMiss = {
  key: 'كرتون ابو قطره',
  text: 'كرتون أبو قطرة ؟ •••',
  count: 3,
  people: 2,
  lastAt: '2026-11-21T09:00:00.000Z',
  contactId: 7,
}
const targets: api.AliasTarget[] = [
  { type: 'vendor', target: '1', name: 'Hayrat', nameAr: 'هيرات' },
  { type: 'answer', target: 'payment', name: 'payment', nameAr: null },
]
const models = { bot: { used: 12, budget: 500 }, voice: null }
const pageOf = <T,>(items: T[]) => ({ items, page: 1, limit: 50, total: items.length })

/** Bodies of changed answers, in order. */
let changes: unknown[]
let shop: FakeShop
let misses: api.BotMiss[]
beforeEach(() => {
  setUpScreen()
  shop = fakeShop()
  misses = [miss]
  changes = []
  shop.on(getMe, () => boss)
  shop.on(api.listBotAnswers, () => ({ answers: [written, hours], facts, vendorFacts: facts, models }))
  shop.on(api.listBotMisses, () => pageOf(misses))
  shop.on(api.listBotAliases, () => pageOf<api.BotAlias>([]))
  shop.on(api.listAliasTargets, () => targets)
})
afterEach(() => {
  cleanup()
  dismissToast()
  vi.unstubAllGlobals()
})

/** The page with the data of the fake shop. */
function show(part: 'answers' | 'misses' | 'names', lang: 'ar' | 'en' = 'en') {
  const queries = createQueries(fetchKey)
  queries.setQueryData(read(getMe).queryKey, boss)
  const piece = () => (
    <QueryClientProvider client={queries}>
      <AssistantPage />
      <Toasts />
    </QueryClientProvider>
  )
  return renderInAdmin(piece, { lang, at: `/here?part=${part}`, user: boss })
}
const onChange = (answer: () => api.BotAnswer | Response) =>
  shop.on(api.changeBotAnswer, ({ body }) => {
    changes.push(body)
    return answer()
  })
const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }))
const type = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } })

describe('answers of the assistant', () => {
  it('show the words that are sent now, in the language of the page', async () => {
    await show('answers', 'ar')
    expect(await screen.findByText('نوصل كل يوم.')).toBeTruthy()
    expect(screen.getByText('متى تعملون؟')).toBeTruthy()
    expect(screen.getByText('نموذج اللغة يعمل: 12 من 500 طلب اليوم')).toBeTruthy()
    expect(screen.getAllByText('الافتراضي')).toHaveLength(1)
  })

  it('are saved with the version as opened, with a preview of their facts', async () => {
    onChange(() => ({ ...hours, version: 1 }))
    await show('answers')
    fireEvent.click(await screen.findByText('We deliver every day.'))
    expect(screen.getByText('نوصل كل يوم.')).toBeTruthy()
    fireEvent.focus(screen.getByLabelText('English answer'))
    press(/^Add phone/)
    expect(screen.getByText('These have no value: phone')).toBeTruthy()
    type('English answer', 'Always, {days}')
    expect(screen.getByText('Always, every day')).toBeTruthy()
    press('Save')
    await screen.findByText('The bot answers this from now on')
    expect(changes).toEqual([{ ar: hours.ar, en: 'Always, {days}', version: 0 }])
  })

  it('keep what was written where somebody else was faster', async () => {
    onChange(() => refusal('VERSION_CONFLICT', { version: 1 }))
    await show('answers')
    fireEvent.click(await screen.findByText('We deliver every day.'))
    type('English answer', 'Mine')
    shop.on(api.listBotAnswers, () => ({
      answers: [{ ...hours, en: 'Theirs', version: 1 }],
      facts,
      vendorFacts: facts,
      models,
    }))
    press('Save')
    await screen.findByText(/^Somebody else changed this first/)
    expect(screen.getByLabelText<HTMLTextAreaElement>('English answer').value).toBe('Mine')
    press('Save')
    await waitFor(() => expect(changes).toHaveLength(2))
    expect(changes[1]).toMatchObject({ version: 0 })
  })

  it('return to the default, which can be undone', async () => {
    shop.on(api.resetBotAnswer, () => ({ success: true as const }))
    onChange(() => written)
    await show('answers')
    fireEvent.click(await screen.findByText('Cash'))
    press('Back to default')
    await screen.findByText('Back to the default')
    press('Undo')
    await waitFor(() => expect(changes).toHaveLength(1))
    expect(changes[0]).toEqual({ ar: 'نقدًا', en: 'Cash', version: 4 })
  })
})

describe('texts that were not understood', () => {
  it('are listed with how often they were written and a link to the conversation', async () => {
    await show('misses')
    expect(await screen.findByText(miss.text)).toBeTruthy()
    expect(screen.getByText('3 times · by 2 people')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Conversation' }).getAttribute('href')).toBe('/admin/whatsapp?open=7')
  })

  it('are dismissed by one press, which can be undone', async () => {
    shop.on(api.dismissBotMiss, () => {
      misses = []
      return { success: true as const }
    })
    shop.on(api.restoreBotMiss, () => ({ success: true as const }))
    await show('misses')
    fireEvent.click(await screen.findByRole('button', { name: /^Dismiss “/ }))
    await screen.findByText('Everything was understood')
    press('Undo')
    await waitFor(() => expect(shop.to(api.restoreBotMiss)).toHaveLength(1))
    expect(shop.to(api.restoreBotMiss)[0]?.body).toEqual({ key: miss.key })
  })

  it('become a name, filled in without marks; a refusal says why and keeps the text', async () => {
    shop.on(api.createBotAlias, () => refusal('ALIAS_REFUSED', { reason: 'command' }))
    await show('misses')
    fireEvent.click(await screen.findByRole('button', { name: /^Say what/ }))
    expect(screen.getByLabelText<HTMLInputElement>('Word or phrase').value).toBe('كرتون أبو قطرة')
    type('Word or phrase', 'أبو قطرة')
    const means = screen.getByRole('combobox', { name: 'Means' })
    fireEvent.input(means, { target: { value: 'هيرات' }, inputType: 'insertText' })
    await waitFor(() => expect(screen.getAllByRole('option', { hidden: true })).toHaveLength(1))
    fireEvent.keyDown(means, { key: 'Enter' })
    press('Save')
    expect(await screen.findByText('This is a command of the bot, such as “menu” or “cancel”.')).toBeTruthy()
    expect(shop.to(api.createBotAlias)[0]?.body).toEqual({
      text: 'أبو قطرة',
      type: 'vendor',
      target: '1',
      miss: miss.key,
    })
  })

  it('get an answer of their own', async () => {
    shop.on(api.createBotAnswer, () => ({ ...written, key: 'own:4', title: 'Cooler' }))
    await show('misses')
    fireEvent.click(await screen.findByRole('button', { name: /^Write the answer/ }))
    fireEvent.click(screen.getByLabelText('A new one'))
    type('Question, for your own list', 'Cooler')
    type('Arabic answer', 'نعم')
    type('English answer', 'Yes')
    press('Save')
    await waitFor(() => expect(shop.to(api.createBotAnswer)).toHaveLength(1))
    expect(shop.to(api.createBotAnswer)[0]?.body).toEqual({
      title: 'Cooler',
      ar: 'نعم',
      en: 'Yes',
      phrase: 'كرتون أبو قطرة',
      miss: miss.key,
    })
  })

  it('that cannot be read offer to try again', async () => {
    shop.on(api.listBotMisses, () => refusal('UNAVAILABLE'))
    await show('misses')
    expect(await screen.findByRole('button', { name: 'Try again' })).toBeTruthy()
  })
})

describe('names for the assistant', () => {
  it('are offered to be added while there are none', async () => {
    await show('names')
    expect(await screen.findByText('No names yet')).toBeTruthy()
    expect(screen.getAllByRole('button', { name: 'New name' })).toHaveLength(2)
  })

  it('are deleted by one press, which can be undone', async () => {
    const name: api.BotAlias = {
      id: 5,
      text: 'أبو قطرة',
      type: 'vendor',
      target: '1',
      createdAt: '2026-11-21T09:00:00.000Z',
    }
    shop.on(api.listBotAliases, () => pageOf([name]))
    shop.on(api.deleteBotAlias, () => ({ success: true as const }))
    shop.on(api.createBotAlias, () => name)
    await show('names')
    expect(await screen.findByText('Brand · Hayrat')).toBeTruthy()
    press('Delete “أبو قطرة”')
    fireEvent.click(await screen.findByRole('button', { name: 'Undo' }))
    await waitFor(() => expect(shop.to(api.createBotAlias)).toHaveLength(1))
    expect(shop.to(api.createBotAlias)[0]?.body).toEqual({ text: 'أبو قطرة', type: 'vendor', target: '1' })
  })
})
