import {
  finishMessageLogin,
  getMe,
  startMessageLogin,
  updateProfile,
  verifyCode,
  verifyPhone,
} from '@qatra/contract/users/auth'
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type FakeShop, noora, openShop, refusal, visit } from '../checkout/test-shop.tsx'
import { dismissToast } from '../ui/Toast.tsx'

let shop: FakeShop
let isSignedIn = false
const right = '4321'

beforeEach(() => {
  vi.stubGlobal('scrollTo', () => undefined)
  isSignedIn = false
  shop = openShop()
  shop.on(getMe, () => (isSignedIn ? noora : refusal('SIGNED_OUT')))
  shop.on(verifyPhone, () => ({ success: true as const, message: '', resendAfter: 60 }))
  shop.on(verifyCode, ({ body }) => {
    if ((body as { code: string }).code !== right) return refusal('INVALID_CODE')
    isSignedIn = true
    return { success: true as const, user: noora }
  })
})
afterEach(() => {
  cleanup()
  dismissToast()
  sessionStorage.clear()
  vi.unstubAllGlobals()
})

const phone = () => screen.getByLabelText<HTMLInputElement>('Phone number')
const code = () => screen.getByLabelText<HTMLInputElement>('Verification code')
const type = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } })
const send = () => fireEvent.click(screen.getByRole('button', { name: 'Send the code' }))
const alertText = () =>
  screen
    .getAllByRole('alert')
    .map((one) => one.textContent)
    .join('')
async function atCode(typed = '3600 0006') {
  type(phone(), typed)
  send()
  await screen.findByLabelText('Verification code')
}
const codesSent = () => shop.to(verifyCode).map(({ body }) => (body as { code: string }).code)

describe('the link for the first market admin', () => {
  const claim = 'ABCD-EFGH-JKLM-NPQR'
  afterEach(() => history.replaceState(null, '', '/'))

  it('confirms the number by a code before the link makes it the first', async () => {
    history.replaceState(null, '', `/login#claim=${claim}`)
    await visit('/login')
    expect(screen.getByRole('heading', { name: 'The first market admin' })).toBeTruthy()
    await atCode()
    expect(shop.to(verifyPhone).map(({ body }) => body)).toMatchObject([{ phone: '+97336000006', claim }])
    expect(screen.getByText(/where the shop was started/)).toBeTruthy()
    expect(shop.to(verifyCode)).toHaveLength(0)
    type(code(), right)
    await screen.findByText(/taking you|moment/i)
    expect(shop.to(verifyCode).map(({ body }) => body)).toEqual([{ phone: '+97336000006', code: right, claim }])
  })

  it('that was used says so and becomes the usual sign-in', async () => {
    history.replaceState(null, '', `/login#claim=${claim}`)
    shop.on(verifyPhone, ({ body }) =>
      'claim' in (body as object) ? refusal('CLAIM_CLOSED') : { success: true as const, message: '', resendAfter: 60 },
    )
    await visit('/login')
    type(phone(), '3600 0006')
    send()
    await waitFor(() => expect(alertText()).toMatch(/no longer works/))
    await atCode()
    expect(shop.to(verifyPhone)).toHaveLength(2)
  })
})

describe('phone', () => {
  it.each([
    ['1234567', 'Phone number must be at least 8 digits'],
    ['', 'Phone number must be at least 8 digits'],
    ['+9733600000612345', 'Phone number is too long'],
    ['3600000x', 'Phone number must contain only digits and optional + prefix'],
  ])('shows the error of %j at the field, keeps the input and sends nothing', async (typed, words) => {
    await visit('/login')
    type(phone(), typed)
    send()
    expect(alertText()).toBe(words)
    expect(phone().value).toBe(typed)
    expect(document.activeElement).toBe(phone())
    expect(shop.to(verifyPhone)).toHaveLength(0)
  })

  it.each(['36000006', '٣٦٠٠ ٠٠٠٦', '00973-3600 0006', '+973 3600 0006'])('accepts %s', async (typed) => {
    await visit('/login')
    await atCode(typed)
    expect(shop.to(verifyPhone)[0]?.body).toEqual({ phone: '+97336000006', language: 'en' })
    expect(screen.getByText('+973 3600 0006')).toBeTruthy()
  })

  it.each([
    ['+973 3600 0006', '36000006', 'Bahrain +973'],
    ['97336000006', '36000006', 'Bahrain +973'],
    ['00966 50 123 4567', '501234567', 'Saudi Arabia +966'],
    ['٩٦٦٥٠١٢٣٤٥٦٧', '501234567', 'Saudi Arabia +966'],
    ['+44 7700 900123', '+44 7700 900123', null],
  ])('takes the country code of %s out of the field if it is one of the Gulf', async (typed, rest, code) => {
    await visit('/login')
    expect(screen.getByText('+973')).toBeTruthy()
    expect(phone().placeholder).toBe('XXXXXXXX')
    type(phone(), typed)
    expect(phone().value).toBe(rest)
    const chosen = screen.queryByRole<HTMLSelectElement>('combobox', { name: 'Country code' })
    expect(chosen?.selectedOptions[0]?.text ?? null).toBe(code)
  })

  it('sends the number with the chosen country code', async () => {
    await visit('/login')
    fireEvent.change(screen.getByRole('combobox', { name: 'Country code' }), { target: { value: 'SA' } })
    expect(phone().placeholder).toBe('XXXXXXXXX')
    type(phone(), '0501234567')
    send()
    await waitFor(() => expect(shop.to(verifyPhone)).toHaveLength(1))
    expect(shop.to(verifyPhone)[0]?.body).toMatchObject({ phone: '+9660501234567' })
  })

  it.each([
    [refusal('PHONE_NOT_ALLOWED'), /not a Gulf mobile number. Use a Gulf number, or message us/],
    [refusal('PHONE_NOT_ALLOWED', { byMessage: true }), /confirm yours by a WhatsApp message/],
    [refusal('CODE_NOT_SENT'), /Could not send verification code/],
    [
      new Response('{"code":"TOO_MANY_REQUESTS","message":""}', { status: 429, headers: { 'retry-after': '47' } }),
      /47 seconds/,
    ],
    [
      new Response('{"code":"TOO_MANY_REQUESTS","message":"","details":{"codeMayArrive":true}}', {
        status: 429,
        headers: { 'retry-after': '1800' },
      }),
      /your code is on its way/,
    ],
  ])('shows why no code was sent', async (answer, words) => {
    shop.on(verifyPhone, () => answer)
    await visit('/login')
    type(phone(), '36000006')
    send()
    await waitFor(() => expect(alertText()).toMatch(words))
  })
})

describe('code', () => {
  it('signs in after a pause behind four digits, and replaces the sign-in page in the history', async () => {
    const { path, router } = await visit('/login?redirect=/profile')
    await atCode()
    type(code(), '٤٣٢')
    type(code(), '٤٣٢١')
    expect(codesSent()).toEqual([])
    expect(await screen.findByText('Welcome back')).toBeTruthy()
    await waitFor(() => expect(path()).toBe('/profile'))
    expect(router.history.length).toBe(1)
  })

  it('Back goes from it to the phone, which is still there', async () => {
    const { path } = await visit('/login')
    await atCode()
    history.back()
    await waitFor(() => expect(phone().value).toBe('3600 0006'))
    expect(path()).toBe('/login')
  })

  it('is sent without a delay if pasted within a longer text', async () => {
    await visit('/login')
    await atCode()
    fireEvent.paste(code(), {
      clipboardData: { getData: () => '4321 is your Qatra sign-in code.\n\n@localhost #4321' },
    })
    await waitFor(() => expect(codesSent()).toEqual(['4321']), { timeout: 300 })
  })

  it('is not sent after four digits while more are typed', async () => {
    await visit('/login')
    await atCode()
    for (const typed of ['6', '65', '654', '6543', '65432', '654321']) type(code(), typed)
    await waitFor(() => expect(codesSent()).toEqual(['654321']))
  })

  it('is sent once if the form is submitted twice before the page renders again', async () => {
    await visit('/login')
    await atCode()
    fireEvent.change(code(), { target: { value: right } })
    const form = code().closest('form')
    act(() => {
      form?.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }))
      form?.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }))
    })
    expect(await screen.findByText('Welcome back')).toBeTruthy()
    expect(codesSent()).toEqual([right])
  })

  it('shows an error and selects the digits if it is wrong', async () => {
    await visit('/login')
    await atCode()
    type(code(), '1111')
    fireEvent.submit(code())
    await waitFor(() => expect(alertText()).toBe('The code is invalid or expired.'))
    await waitFor(() => expect([code().selectionStart, code().selectionEnd]).toEqual([0, 4]))
    expect(code().value).toBe('1111')
    type(code(), right)
    fireEvent.submit(code())
    expect(await screen.findByText('Welcome back')).toBeTruthy()
  })

  it('requires four digits', async () => {
    await visit('/login')
    await atCode()
    type(code(), '43')
    fireEvent.submit(code())
    expect(alertText()).toBe('Please enter the 4-digit verification code')
    expect(codesSent()).toEqual([])
  })

  it('is not requested twice within a minute; the phone can be changed', async () => {
    await visit('/login')
    await atCode()
    expect(screen.getByText(/New code in (1:00|0:5\d)/)).toBeTruthy()
    fireEvent.click(screen.getAllByRole('button', { name: 'Change number' })[0] as HTMLElement)
    expect(phone().value).toBe('3600 0006')
    send()
    await screen.findByLabelText('Verification code')
    expect(shop.to(verifyPhone)).toHaveLength(1)
  })

  it('can be entered after the page was reloaded', async () => {
    await visit('/login')
    await atCode()
    cleanup()
    await visit('/login')
    expect(await screen.findByLabelText('Verification code')).toBeTruthy()
  })
})

it('shows no form to a signed-in user, and redirects after 1.5 seconds', async () => {
  isSignedIn = true
  const { path } = await visit('/login?redirect=//evil.example')
  expect(screen.getByText('You are already signed in')).toBeTruthy()
  expect(screen.queryByLabelText('Phone number')).toBeNull()
  await waitFor(() => expect(path()).toBe('/orders'))
})

describe('a phone that gets no code', () => {
  it('signs in by a message to the shop, answered with two digits', async () => {
    let [hasCome, isAsked] = [false, false]
    shop.on(verifyPhone, () => refusal('TOO_MANY_REQUESTS'))
    shop.on(startMessageLogin, () => ({
      secret: 'the-secret-of-this-page',
      text: 'LOGIN 7F3K2M',
      answer: '47',
      url: 'https://wa.me/97317000000?text=LOGIN%207F3K2M',
      number: '+97317000000',
      expiresAt: '2026-11-21T08:10:00.000Z',
    }))
    shop.on(finishMessageLogin, () => {
      isSignedIn = hasCome
      return { success: hasCome, isAsked, user: hasCome ? noora : null }
    })
    await visit('/login')
    type(phone(), '3600 0006')
    send()
    fireEvent.click(await screen.findByRole('button', { name: 'I’m not getting a code' }))
    expect(await screen.findByText('LOGIN 7F3K2M')).toBeTruthy()
    expect(shop.to(startMessageLogin)[0]?.body).toEqual({ phone: '+97336000006', language: 'en' })
    expect(screen.getByRole('link', { name: 'Open WhatsApp' }).getAttribute('href')).toMatch(
      /^https:\/\/wa\.me\/97317000000/,
    )
    await waitFor(() => expect(shop.to(finishMessageLogin).length).toBeGreaterThan(0))
    expect(screen.getByText(/Waiting for your message/)).toBeTruthy()
    expect(screen.getByText('47')).toBeTruthy()
    isAsked = true
    await waitFor(() => expect(screen.getByText(/Write 47 in WhatsApp/)).toBeTruthy())
    hasCome = true
    await waitFor(() => expect(screen.getByText('Welcome back')).toBeTruthy())
    expect(shop.to(finishMessageLogin)[0]?.body).toEqual({ secret: 'the-secret-of-this-page' })
  })
})

describe('the language of the sign-in page', () => {
  async function signInAt(address: string) {
    history.replaceState(null, '', address)
    shop.on(updateProfile, ({ body }) => ({ ...noora, ...(body as object) }))
    await visit(address)
    await atCode()
    type(code(), right)
    await waitFor(() => expect(screen.queryByLabelText('Verification code')).toBeNull())
    history.replaceState(null, '', '/')
    return shop.to(updateProfile).map(({ body }) => body)
  }

  it('is saved in the profile before the redirect if the address has ?lang', async () => {
    expect(noora.language).toBe('ar')
    expect(await signInAt('/login?lang=en&redirect=/about')).toEqual([{ language: 'en' }])
  })

  it('leaves the profile unchanged if the address has no ?lang', async () => {
    expect(await signInAt('/login?redirect=/about')).toEqual([])
  })
})
