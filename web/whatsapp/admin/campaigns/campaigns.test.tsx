import { listAreas } from '@qatra/contract/places/areas'
import { listVendors } from '@qatra/contract/vendors/vendors'
import { previewCampaign } from '@qatra/contract/whatsapp/campaigns/campaign-preview'
import {
  duplicateCampaign,
  getCampaignResults,
  testCampaign,
} from '@qatra/contract/whatsapp/campaigns/campaign-results'
import type { CampaignDetail } from '@qatra/contract/whatsapp/campaigns/campaigns'
import { listTemplates, type Template } from '@qatra/contract/whatsapp/templates/templates'
import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { type ReactNode, useState } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type FakeShop, fakeShop, refusal } from '../../../checkout/test-shop.tsx'
import { CallError, read } from '../../../lib/api-client.ts'
import { renderInAdmin, setUpScreen } from '../../../ui/admin/test-admin.tsx'
import { dismissToast, Toasts } from '../../../ui/Toast.tsx'
import { CampaignForm } from '../campaign-form/CampaignForm.tsx'
import { emptyDraft } from '../campaign-form/campaign-draft.ts'
import { CampaignFigures } from './CampaignFigures.tsx'
import { DuplicateCampaign } from './CampaignPage.tsx'
import { CampaignResults } from './CampaignResults.tsx'

const sending = vi.hoisted(() => vi.fn())
vi.mock('../../../lib/send-file.ts', () => ({ sendFile: sending }))

let shop: FakeShop
beforeEach(() => {
  setUpScreen()
  shop = fakeShop()
  Element.prototype.scrollIntoView = () => {}
})
afterEach(() => {
  cleanup()
  dismissToast()
  vi.unstubAllGlobals()
})

/** Puts what a page has loaded into the cache. */
function Loaded({ data, children }: { data: readonly (readonly [QueryKey, unknown])[]; children: ReactNode }) {
  const queries = useQueryClient()
  useState(() => data.map(([key, value]) => queries.setQueryData(key, value)))
  return children
}

const at = '2026-11-21T09:00:00.000Z'
const campaign: CampaignDetail = {
  id: 'c0000000-0000-4000-8000-000000000000',
  name: 'Winter',
  templateName: 'weekly_offer',
  language: 'ar',
  secondLanguage: null,
  status: 'paused',
  statusCode: null,
  statusReason: null,
  quietUntil: null,
  slowness: null,
  globalVariables: null,
  secondVariables: null,
  audience: null,
  consent: null,
  hasLinks: false,
  linkRedirectUrl: null,
  counts: { pending: 60, sending: 0, sent: 40, delivered: 0, read: 0, failed: 0, unknown: 0, skipped: 0, cancelled: 0 },
  totalRecipients: 100,
  successfulSends: 40,
  failedSends: 0,
  clicked: 0,
  exclusions: {},
  createdBy: null,
  createdAt: at,
  updatedAt: at,
  scheduledAt: null,
  startedAt: at,
  pausedAt: at,
  completedAt: null,
  cancelledAt: null,
  version: 1,
  can: { edit: false, delete: false, start: false, pause: false, resume: true, cancel: true },
  excludedPhones: [],
  perSecond: 80,
  quietHours: null,
}
const template = (language: 'ar' | 'en'): Template => ({
  id: language === 'ar' ? 1 : 2,
  name: 'weekly_offer',
  language,
  category: 'MARKETING',
  nextCategory: null,
  status: 'APPROVED',
  isSelectable: true,
  unfillable: null,
  quality: null,
  rejectedReason: null,
  header: null,
  body: language === 'ar' ? 'عرض: {{1}}' : 'Offer: {{1}}',
  footer: null,
  buttons: [],
  variables: [{ key: '1', part: 'body', label: '1', example: null }],
  changes: [],
  draft: null,
  fixed: { edit: null, delete: null },
  syncedAt: at,
  updatedAt: at,
})

describe('a paused campaign', () => {
  it.each([
    ['132015', /paused this template because customers complained/],
    ['131048', /blocked or reported your number/],
    ['368', /blocked your account for a while/],
    ['template-category', /made this template an offer/],
    ['TEMPLATE_NOT_AVAILABLE', /could not start at its time: This template cannot be sent/],
    ['999', /because WhatsApp refused to send: 999: Strange/],
  ])('says why and what to do, for %s', async (statusCode, words) => {
    const statusReason = `${statusCode}: Strange`
    await renderInAdmin(() => <CampaignFigures campaign={{ ...campaign, statusCode, statusReason }} />)
    expect(screen.getByRole('alert').textContent?.replace(/\s+/g, ' ')).toMatch(words)
  })

  it('says it in Arabic, too', async () => {
    const stopped = { ...campaign, statusCode: '132016', statusReason: '132016: x' }
    await renderInAdmin(() => <CampaignFigures campaign={stopped} />, { lang: 'ar' })
    expect(screen.getByRole('alert').textContent).toContain('عطّل واتساب هذا القالب نهائيًا')
  })
})

it('a running campaign that WhatsApp slows down says until when', async () => {
  const slow = { ...campaign, status: 'running', slowness: { code: '130429', until: at } } as const
  await renderInAdmin(() => <CampaignFigures campaign={slow} />)
  expect(screen.getByText(/takes no messages until/)).toBeTruthy()
})

describe('results of a campaign', () => {
  type Cost = { amount: number; unpriced: number }
  const show = async (cost: Cost, spent: Cost | null = null, lang: 'ar' | 'en' = 'en') => {
    const results = { replies: 7, orders: 3, revenue: 12.35, endsAt: at, cost, spent }
    await renderInAdmin(
      () => (
        <Loaded data={[[read(getCampaignResults, { params: { id: campaign.id } }).queryKey, results]]}>
          <CampaignResults campaign={campaign} />
        </Loaded>
      ),
      { lang },
    )
  }
  it('are replies, orders and their total, with the estimated cost', async () => {
    await show({ amount: 1.25, unpriced: 0 })
    expect(document.querySelector('[data-figure="replies"]')?.textContent).toContain('7')
    expect(document.querySelector('[data-figure="revenue"]')?.textContent).toContain('12.350')
    expect(screen.getByText(/BHD\s1\.250/)).toBeTruthy()
    expect(screen.queryByText('Cost so far')).toBeNull()
  })
  it('show the cost so far beside the estimate, with its messages without a price', async () => {
    await show({ amount: 1.25, unpriced: 0 }, { amount: 0.75, unpriced: 2 })
    expect(screen.getByText('Cost so far').parentElement?.textContent).toMatch(/BHD\s0\.750, without 2 messages/)
    expect(screen.getByText(/BHD\s1\.250/)).toBeTruthy()
  })
  it('name the cost so far in Arabic', async () => {
    await show({ amount: 1.25, unpriced: 0 }, { amount: 0.75, unpriced: 0 }, 'ar')
    expect(screen.getByText('التكلفة حتى الآن').parentElement?.textContent).toContain('0.750')
  })
  it('lead to the settings if there are no prices', async () => {
    await show({ amount: 0, unpriced: 100 })
    expect(screen.getByRole('link', { name: /^Not known: 100 messages.*Enter it/ }).getAttribute('href')).toBe(
      '/admin/settings',
    )
  })
})

it('a duplicate gets the name of a copy, and a paused template is reported', async () => {
  let duplicated: unknown
  shop.on(duplicateCampaign, ({ body }) => {
    duplicated = body
    return refusal('TEMPLATE_NOT_AVAILABLE')
  })
  await renderInAdmin(() => (
    <>
      <DuplicateCampaign campaign={campaign} />
      <Toasts />
    </>
  ))
  fireEvent.click(screen.getByRole('button', { name: 'Duplicate' }))
  expect(await screen.findByText(/This template cannot be sent/)).toBeTruthy()
  expect(duplicated).toEqual({ name: 'Winter (copy)' })
})

describe('the form of a campaign', () => {
  it('takes the picture of the heading as a file, shows it, and keeps what is written meanwhile', async () => {
    const url = `/media/${'a'.repeat(64)}`
    const picture = {
      ...template('en'),
      variables: [
        { key: 'header', part: 'image' as const, label: '', example: null },
        { key: '1', part: 'body' as const, label: '1', example: null },
      ],
    }
    let arrive = (_: { url: string }) => {}
    const upload = new Promise<{ url: string }>((resolve) => {
      arrive = resolve
    })
    sending.mockReturnValueOnce(Promise.reject(new CallError(422, JSON.stringify({ code: 'FILE_REFUSED' }))))
    sending.mockReturnValueOnce(upload)
    const start = { ...emptyDraft, name: 'Eid', template: 'weekly_offer en' }
    await renderInAdmin(() => (
      <Loaded
        data={[
          [read(listTemplates).queryKey, [picture]],
          [read(listAreas).queryKey, []],
        ]}
      >
        <CampaignForm title="New" start={start} save={async () => campaign} />
      </Loaded>
    ))
    const next = () => fireEvent.click(screen.getByRole('button', { name: 'Next' }))
    next()
    next()
    const choose = () =>
      fireEvent.change(screen.getByLabelText('Picture of the heading'), {
        target: { files: [new File(['x'], 'eid.png', { type: 'image/png' })] },
      })
    expect(screen.getByLabelText('Or the address of the file on the web')).toBeTruthy()
    choose()
    expect(await screen.findByText('The file could not be sent. Please try again.')).toBeTruthy()
    choose()
    fireEvent.change(screen.getByLabelText('Gap 1'), { target: { value: 'discount' } })
    await act(async () => arrive({ url }))
    // In the field and in the message.
    expect(screen.getAllByAltText('Picture of the heading').map((one) => one.getAttribute('src'))).toEqual([url, url])
    expect(screen.getByText('Offer: discount')).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: 'Remove the file' }))
    expect(screen.queryByAltText('Picture of the heading')).toBeNull()
    expect(screen.getByLabelText('Picture of the heading')).toBeTruthy()
  })

  it('saves two languages with their values and the declaration of the list, and sends a test', async () => {
    const loaded = [
      [
        read(listTemplates).queryKey,
        [template('ar'), template('en'), { ...template('en'), id: 3, name: 'order_new', category: 'UTILITY' }],
      ],
      [read(listAreas).queryKey, []],
      [read(listVendors).queryKey, []],
    ] as const
    const sample = { name: null, text: '' }
    shop.on(previewCampaign, () => ({
      count: 2,
      exclusions: {},
      missing: [],
      hasLinkPlace: true,
      samples: [
        { ...sample, phone: '+97336000006', language: 'ar', values: { 1: 'خصم' } },
        { ...sample, phone: '+97336000007', language: 'en', values: { 1: 'discount' } },
      ],
      cost: { amount: 0.025, unpriced: 0 },
      seconds: 1,
      people: null,
    }))
    shop.on(testCampaign, () => ({ phone: '+97336000001', messages: 2 }))
    const saved = vi.fn(async () => campaign)
    await renderInAdmin(() => (
      <>
        <Loaded data={loaded}>
          <CampaignForm title="New" start={emptyDraft} save={saved} />
        </Loaded>
        <Toasts />
      </>
    ))
    const next = () => fireEvent.click(screen.getByRole('button', { name: 'Next' }))
    const fill = (label: string | RegExp, value: string) =>
      fireEvent.change(screen.getByLabelText(label), { target: { value } })
    // Offers alone, each with its text.
    const offered = [...(await screen.findByLabelText('Approved template')).querySelectorAll('option')]
    expect(offered.map(({ textContent }) => textContent).slice(1)).toEqual([
      'weekly_offer · Arabic: عرض: {{1}}',
      'weekly_offer · English: Offer: {{1}}',
    ])
    fill('Name', 'Winter')
    fill('Approved template', 'weekly_offer ar')
    fireEvent.click(screen.getByLabelText('Send in Arabic and English'))
    next()
    fireEvent.click(screen.getByLabelText('A list of numbers'))
    fill('Or write the numbers', '36000006\n36000007')
    next()
    expect(screen.getByText('Declare that the people of the list agreed, and where.')).toBeTruthy()
    fireEvent.click(screen.getByLabelText(/I declare that the people/))
    fill('Where did they agree?', 'Counter')
    next()
    const [arabic, english] = screen.getAllByLabelText('Gap 1')
    if (!arabic || !english) throw new Error('Each language has its gap')
    fireEvent.change(arabic, { target: { value: 'خصم' } })
    fireEvent.change(english, { target: { value: 'discount' } })
    next()
    next()
    expect(await screen.findByText(/0\.025/)).toBeTruthy()
    expect(screen.getByText('Offer: discount')).toBeTruthy()
    expect(screen.getByText('عرض: خصم')).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: 'Send a test to my phone' }))
    expect(await screen.findByText(/On its way to/)).toBeTruthy()
    expect(shop.to(testCampaign)[0]?.body).toMatchObject({
      language: 'ar',
      globalVariables: { 1: 'خصم' },
      secondLanguage: 'en',
      secondVariables: { 1: 'discount' },
    })
    fireEvent.click(screen.getByRole('button', { name: 'Save campaign' }))
    await waitFor(() => expect(saved).toHaveBeenCalled())
    expect(saved.mock.calls[0]).toMatchObject([
      { consentSource: 'Counter', secondLanguage: 'en', secondVariables: { 1: 'discount' }, name: 'Winter' },
    ])
  })
})
